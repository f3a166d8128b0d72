import { Refusal } from '../../domain/refusal.ts';
import type { Context, Next } from '../request-state.ts';

/** Refuses a request target without a path, such as a malformed absolute URL. */
export async function requireTarget(ctx: Context, next: Next): Promise<void> {
  if (!hasPath(ctx)) throw new Refusal('INVALID_REQUEST', 'the request target is malformed');
  await next();
}

/** RFC 9112, 3.2: refuses a request with several Host headers, or with none in HTTP/1.1. */
export async function requireHost(ctx: Context, next: Next): Promise<void> {
  // `headers` contains only the first one.
  const hosts = ctx.req.headersDistinct.host?.length ?? 0;
  if (hosts === 0 && ctx.req.httpVersion === '1.1') {
    throw new Refusal('INVALID_REQUEST', 'the Host header is missing');
  }
  if (hosts > 1) throw new Refusal('INVALID_REQUEST', 'the request has more than one Host header');
  await next();
}

/**
 * RFC 9112, 6.1: refuses codings other than chunked, and chunked before HTTP/1.1. A proxy may see
 * another end of such a request, so the connection is closed.
 */
export async function requireFraming(ctx: Context, next: Next): Promise<void> {
  const { headers, httpVersion } = ctx.req;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) {
    ctx.set('Connection', 'close');
    throw new Refusal(
      'INVALID_REQUEST',
      'Transfer-Encoding must be chunked, and the protocol HTTP/1.1',
    );
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

/** Returns true if the percent-encoding of the path is valid UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
