import { Readable } from 'node:stream';
import type { Context } from './request-state.ts';

/**
 * An answer of a route. An object in `body` becomes JSON, bytes and streams are sent unchanged,
 * null is no body. The route names the type and length of a stream, and the type of bytes.
 */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | null;
}

/** Writes an answer. Serialises the JSON here, so that a failure is answered as a fault. */
export function writeReply(ctx: Context, reply: Reply): void {
  const { status, headers = {}, body } = reply;
  if (body instanceof Readable) {
    ctx.status = status;
    ctx.body = body;
    ctx.set(headers);
    return;
  }
  if (body instanceof Uint8Array) {
    ctx.status = status;
    ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    ctx.set(headers);
    return;
  }
  const text = body === null ? '' : JSON.stringify(body);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = text;
  // koa treats an empty string as text, and null as status 204.
  if (body === null) ctx.remove('Content-Type');
  else ctx.type = 'application/json';
}
