import { Refusal } from '../domain/refusal.ts';
import type { Context, Next } from './request-state.ts';

/** Refuses a request target without a path, such as an absolute URL that is none. */
export async function requireTarget(ctx: Context, next: Next): Promise<void> {
  if (!hasPath(ctx)) throw new Refusal('INVALID_REQUEST', 'the request target is malformed');
  await next();
}

/** RFC 9112, 3.2: a request without Host names no origin, and one with several names nobody knows which. */
export async function requireHost(ctx: Context, next: Next): Promise<void> {
  // `headers` has the first one alone.
  const hosts = ctx.req.headersDistinct.host?.length ?? 0;
  if (hosts === 0 && ctx.req.httpVersion === '1.1') {
    throw new Refusal('INVALID_REQUEST', 'the Host header is missing');
  }
  if (hosts > 1) throw new Refusal('INVALID_REQUEST', 'there are several Host headers');
  await next();
}

/**
 * RFC 9112, 6.1: a proxy that knows no chunks of HTTP/1.0, or no other coding, may see another end of
 * this request than we do, so nothing more is read from its connection.
 */
export async function requireFraming(ctx: Context, next: Next): Promise<void> {
  const { headers, httpVersion } = ctx.req;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) {
    ctx.set('Connection', 'close');
    throw new Refusal('INVALID_REQUEST', 'Transfer-Encoding must be chunked, in HTTP/1.1');
  }
  await next();
}

export function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
