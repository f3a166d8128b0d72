import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { CosignedCheckpoints } from './cosigned-checkpoints.ts';
import type { Witness } from './witness.ts';

interface WitnessServerOptions {
  readonly witness: Pick<Witness, 'addCheckpoint'>;
  readonly checkpoints: Pick<CosignedCheckpoints, 'readFile'>;
  /** Called for every request that failed in this process. */
  readonly onError: (error: unknown) => void;
  /** Called with the status of every answer to `add-checkpoint`. */
  readonly onAnswer?: (status: number) => void;
  /** Time for a whole request to arrive. */
  readonly requestTimeoutMs?: number;
}

/** Room for 63 hashes and for more signatures than a checkpoint has, also of 5 kB each. */
const mostBytes = 262_144;
const mostConnections = 1_000;
const mostWaiting = 200;

/** Creates the HTTP server of a witness (C2SP tlog-witness). It does not listen yet. */
export function createWitnessServer({
  witness,
  checkpoints,
  onError,
  onAnswer,
  requestTimeoutMs = 10_000,
}: WitnessServerOptions): Server {
  let waiting = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? '';
    const [, named] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
    if (named !== undefined) {
      const note = isRead(request) ? await checkpoints.readFile(named) : null;
      if (!isRead(request)) return send(response, 405, 'use GET\n', { Allow: 'GET, HEAD' });
      if (note === null) return send(response, 404, 'no checkpoint of this log was cosigned\n');
      return send(response, 200, note, { 'Cache-Control': 'no-cache' });
    }
    if (path !== '/add-checkpoint')
      return send(response, 404, 'there is nothing at this address\n');
    if (request.method !== 'POST') return send(response, 405, 'use POST\n', { Allow: 'POST' });
    if (waiting >= mostWaiting)
      return send(response, 503, 'too many requests\n', { 'Retry-After': '1' });
    waiting += 1;
    try {
      const body = await readBody(request);
      if (body === null)
        return send(response, 413, 'the request is too large\n', { Connection: 'close' });
      const { status, text } = await witness.addCheckpoint(body);
      send(response, status, text, status === 409 ? { 'Content-Type': 'text/x.tlog.size' } : {});
    } finally {
      waiting -= 1;
    }
  };
  const limits = {
    requestTimeout: requestTimeoutMs,
    // By default requests may last half a minute longer, and keep others from being answered.
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
  };
  const server = createServer(limits, (request, response) => {
    if (request.url?.split('?')[0] === '/add-checkpoint') {
      response.once('finish', () => onAnswer?.(response.statusCode));
    }
    answer(request, response).catch((error: unknown) => {
      const hasGone = request.destroyed && !request.complete;
      if (!hasGone) onError(error);
      if (hasGone || response.headersSent) response.destroy();
      else send(response, 500, 'the witness cannot use its state\n');
    });
  });
  server.maxConnections = mostConnections;
  return server;
}

/** Reads a whole body; null if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
