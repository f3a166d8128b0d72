import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

/** A request that a scripted service received. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request, or breaks its connection. */
export type ScriptedAnswer = (response: ServerResponse, call: ReceivedCall) => void;

/**
 * A server that answers each request with the next answer, and the last one again. `calls` has the requests in
 * their order.
 */
export async function startScriptedService(
  t: Pick<Test, 'teardown'>,
  ...answers: readonly ScriptedAnswer[]
) {
  const calls: ReceivedCall[] = [];
  const left = [...answers];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body };
    calls.push(call);
    const answer = left.length > 1 ? left.shift() : left[0];
    answer?.(response, call);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls };
}

export function json(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function failure(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
): ScriptedAnswer {
  return json(status, { success: false, code, message: `scripted ${code}`, ...more }, headers);
}

/** Cuts the connection before any answer. */
export const cutBefore: ScriptedAnswer = (response) => {
  response.socket?.destroy();
};

/** Cuts the connection in the middle of the body. */
export const cutWithin: ScriptedAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"success": true, "da', () => response.socket?.destroy());
};

/** Accepts the request, and never answers. */
export const silence: ScriptedAnswer = () => {};

/** Begins an answer, and never ends it. */
export const stall: ScriptedAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"success": true, ');
};
