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
  'Preference-Applied',
  'WWW-Authenticate',
].join(', ');

export function cors() {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (isOpen(ctx)) {
      ctx.set('Access-Control-Allow-Origin', '*');
      ctx.set('Access-Control-Expose-Headers', exposed);
    }
    await next();
  };
}

/** What a preflight is told besides the allowed methods; the key is sent in a header of its own. */
export function preflightHeaders(ctx: Context, methods: string): Readonly<Record<string, string>> {
  if (!isOpen(ctx)) return {};
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Prefer',
    'Access-Control-Max-Age': '7200',
  };
}

function isOpen(ctx: Context): boolean {
  return ctx.path.startsWith(openPrefix);
}
