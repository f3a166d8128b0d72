import type { Context, Next } from './request-state.ts';

/** Gives every request a ULID of its own and every response an `X-Request-Id`. */
export function requestId(newId: () => string) {
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.state.requestId = newId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
