import type { Logger } from 'pino';
import type { Context, Next } from '../request-state.ts';

/** Logs one line per request with these members only, never a body, a path, a query or a header. */
export function requestLog(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    const { requestId, route, caller } = ctx.state;
    log.info(
      {
        requestId,
        method: ctx.method,
        route: route ?? null,
        status: ctx.status,
        durationMs: Math.round(performance.now() - start),
        ...(caller && { keyId: caller.keyId, organisationId: caller.organisationId }),
        ...(!ctx.writable && { aborted: true }),
      },
      'request',
    );
  };
}
