import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A request as received. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request, or never does. */
export type Script = (request: Received, response: ServerResponse, count: number) => void;

export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT`, or `https://hooks.example.com:PORT` with TLS. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Number of connections so far, including those without a request. */
  readonly connections: () => number;
  /** Host names that clients sent by SNI. */
  readonly serverNames: readonly string[];
  /** Replaces the script for all requests from now on. */
  answer(script: Script): void;
}

const samples = join(import.meta.dirname, '../webhooks/samples');

/** Self-signed certificate of `hooks.example.com`. */
export const receiverCertificate = readFileSync(join(samples, 'receiver-certificate.pem'), 'utf8');

/** Starts an endpoint that runs a script for each request; at first it answers 204. */
export async function startReceiver(
  t: Pick<Test, 'teardown'>,
  { tls = false, script = status(204) }: { readonly tls?: boolean; readonly script?: Script } = {},
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const serverNames: string[] = [];
  let connections = 0;
  let current = script;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks).toString('utf8');
      const whole = { path: request.url ?? '', headers, body };
      received.push(whole);
      current(whole, response, received.length);
    });
  };
  const key = readFileSync(join(samples, 'receiver-key.pem'), 'utf8');
  const server = tls
    ? https.createServer({ key, cert: receiverCertificate }, onRequest)
    : http.createServer(onRequest);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket) => serverNames.push(String(socket.servername)));
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: tls ? `https://hooks.example.com:${port}` : `http://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    serverNames,
    answer(next) {
      current = next;
    },
  };
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}): Script {
  return (_, response) => response.writeHead(code, headers).end();
}

/** Accepts the request and never answers. */
export const hang: Script = () => {};

/** Resets the connection instead of answering. */
export const reset: Script = (_, response) => {
  (response.socket as Socket).resetAndDestroy();
};

/** Answers 200 and then sends a few bytes at a time, for ever. */
export const slowBody: Script = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
};

/** Answers 200 and then sends as fast as it can, for ever. */
export const endlessBody: Script = (_, response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(16_384, 0x2e);
  const fill = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', fill);
  fill();
};
