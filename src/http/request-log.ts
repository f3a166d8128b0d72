import type { Logger } from 'pino';
import type { Context, Next } from './request-state.ts';

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

/** An error for the log, without the properties that drivers add, which quote values. */
export function loggable(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: name, message, stack, ...code, ...(cause ? { cause: loggable(cause) } : {}) };
}
