import { writeReply } from '../reply.ts';
import type { Context, Next } from '../request-state.ts';

/** Everything below this path may be called from a page of any origin, without credentials. */
const openPrefix = '/api/public/';

const exposed = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Location',
  'Content-Disposition',
  'ETag',
  'Link',
  'Allow',
  'Preference-Applied',
  'WWW-Authenticate',
].join(', ');

/** Returns true if pages of any origin may read answers at this path. */
export function isForAnyOrigin(path: string): boolean {
  return path.startsWith(openPrefix);
}

/**
 * CORS headers of answers for any origin. The headers are the same for every origin, so caches need
 * no variants.
 */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
} as const;

/**
 * Answers preflights for every path and method, so that a page sees our 404 or 405 instead of a
 * browser error. The API key is sent in the `Authorization` header.
 */
export function cors() {
  return async (ctx: Context, next: Next): Promise<void> => {
    const anyOrigin = isForAnyOrigin(ctx.path);
    if (anyOrigin) ctx.set(corsHeaders);
    if (anyOrigin && isPreflight(ctx)) {
      writeReply(ctx, { status: 204, headers: preflightHeaders, body: null });
    } else await next();
  };
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-None-Match, Prefer, Traceparent, Tracestate, X-Request-Id',
  'Access-Control-Max-Age': '7200',
};

function isPreflight({ method, req: { headers } }: Context): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
