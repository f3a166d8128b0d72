import { writeReply } from './reply.ts';
import type { Context, Next } from './request-state.ts';

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
  'Allow',
  'Preference-Applied',
  'WWW-Authenticate',
].join(', ');

/** Whether pages of any origin may read what is answered at this path. */
export function isForAnyOrigin(path: string): boolean {
  return path.startsWith(openPrefix);
}

/** What such an answer has. It is the same for every origin, so caches need not tell them apart. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
} as const;

/**
 * Answers preflights, at whatever path and for whatever method: a page that calls what there is not is
 * to see our 404 or 405, not an error of its browser. The key is sent in a header of its own.
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
