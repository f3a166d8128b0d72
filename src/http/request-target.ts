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

export function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
