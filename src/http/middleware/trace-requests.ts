import type { Trace } from '../../telemetry/contract.ts';
import type { Context, Next } from '../request-state.ts';

/**
 * Creates a span for every request, in the caller's trace if the request names one (W3C Trace
 * Context).
 */
export function traceRequests(trace: Trace) {
  return (ctx: Context, next: Next): Promise<void> => {
    const { method } = ctx;
    const spec = { name: method, kind: 'server', parent: ctx.req.headers } as const;
    return trace(spec, async (span) => {
      await next();
      const { requestId, route, caller, code } = ctx.state;
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({
        'http.request.method': method,
        'http.response.status_code': ctx.status,
        'proofmark.request.id': requestId,
        ...(route !== undefined && { 'http.route': route }),
        ...(code !== undefined && { 'error.type': code }),
        ...(caller && {
          'proofmark.key.id': caller.keyId,
          'proofmark.organisation.id': caller.organisationId,
        }),
      });
      if (ctx.status >= 500) span.fail();
    });
  };
}
