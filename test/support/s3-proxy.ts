import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Test } from 'tap';

/** A request as the storage receives it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names of the checksums that the request carried, all of them correct. */
  readonly checksums: readonly string[];
}

/**
 * The fault of a request.
 * `before`: the connection breaks before the server gets the request.
 * `after`: the server executes the request, then the connection breaks without an answer.
 * `hang`: no answer ever comes.
 * `half`: the answer breaks off in its middle.
 * `stall`: the answer stops in its middle.
 * `busy`: 503 SlowDown.
 * `denied`: 403.
 */
export type S3Fault = 'before' | 'after' | 'hang' | 'half' | 'stall' | 'busy' | 'denied' | null;

export interface S3Proxy {
  readonly endpoint: string;
  readonly seen: SeenRequest[];
  /** Called for each request with its number, from 0. */
  fault: (request: { readonly method: string; readonly url: string }, index: number) => S3Fault;
}

/** Starts a proxy before an S3 server. It verifies the checksums of requests, as Amazon's servers do. */
export async function createS3Proxy(
  t: Pick<Test, 'teardown'>,
  serverEndpoint: string,
): Promise<S3Proxy> {
  const target = new URL(serverEndpoint);
  const server = createServer((incoming, answer) => {
    void handle(incoming, answer).catch(() => incoming.socket.destroy());
  });
  const proxy: S3Proxy = { endpoint: '', seen: [], fault: () => null };
  let count = 0;
  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const fault = proxy.fault({ method, url }, count++);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { right, wrong } = checksumsOf(incoming, body);
    proxy.seen.push({ method, url, checksums: right });
    if (fault === 'hang') return;
    if (fault === 'before') return void incoming.socket.destroy();
    if (fault === 'busy') return refuse(answer, 503, 'SlowDown');
    if (fault === 'denied') return refuse(answer, 403, 'AccessDenied');
    if (wrong.length > 0) return refuse(answer, 400, 'BadDigest');
    const { hostname, port } = target;
    const { expect: _, ...headers } = incoming.headers;
    const forwarded = request({ hostname, port, method, path: url, headers }, (reply) => {
      if (fault === 'after') {
        reply.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      if (fault !== 'half' && fault !== 'stall') return void reply.pipe(answer);
      reply.once('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, chunk.length / 2), () => {
          if (fault === 'half') incoming.socket.destroy();
        });
        reply.destroy();
      });
    });
    forwarded.once('error', () => incoming.socket.destroy());
    forwarded.end(body);
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, { endpoint: `http://127.0.0.1:${port}` });
}

function checksumsOf({ headers }: IncomingMessage, body: Buffer) {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  const expected: Readonly<Record<string, string>> = {
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64'),
    'x-amz-checksum-crc32': crc.toString('base64'),
  };
  const right: string[] = [];
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(expected)) {
    if (headers[name] === undefined) continue;
    (headers[name] === value ? right : wrong).push(name);
  }
  return { right, wrong };
}

function refuse(answer: ServerResponse, status: number, code: string): void {
  answer.writeHead(status, { 'content-type': 'application/xml' });
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
