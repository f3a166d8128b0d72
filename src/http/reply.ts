import { Readable } from 'node:stream';
import type { Context } from './request-state.ts';

/**
 * An answer as a route gives it: `body` becomes JSON, bytes and streams are sent as they are; null is
 * no body at all. Whoever gives a stream names its type and length, and the type of bytes.
 */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | null;
}

/** Writes an answer. The JSON is made here, so that what cannot be written fails as a fault. */
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
  // koa takes an empty string for text, and null for a wish for status 204.
  if (body === null) ctx.remove('Content-Type');
  else ctx.type = 'application/json';
}
