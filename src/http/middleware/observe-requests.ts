import type { HandledRequest } from '../../telemetry/contract.ts';
import type { Context, Next } from '../request-state.ts';

/**
 * Reports the method, route, status, duration and error code of every handled request, never the
 * caller.
 */
export function observeRequests(onHandled: (request: HandledRequest) => void) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    onHandled({
      method: ctx.method,
      route: ctx.state.route ?? null,
      status: ctx.status,
      seconds: (performance.now() - start) / 1_000,
      code: ctx.state.code ?? null,
    });
  };
}
