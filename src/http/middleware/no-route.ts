import type { RouterContext } from '@koa/router';
import { Refusal } from '../../domain/refusal.ts';
import { writeReply } from '../reply.ts';
import type { RequestState } from '../request-state.ts';
import { isDecodable } from './request-target.ts';

/**
 * Answers requests that match no route: OPTIONS with the allowed methods, other methods with 405
 * METHOD_NOT_ALLOWED and `Allow`. An unknown path is 404 NOT_FOUND.
 */
export function noRoute(ctx: RouterContext<RequestState>): void {
  const matched = (ctx.matched ?? []).flatMap((layer) => layer.methods);
  if (matched.length === 0) {
    if (!isDecodable(ctx.path)) {
      throw new Refusal('INVALID_REQUEST', 'the path is not valid percent-encoding');
    }
    throw new Refusal('NOT_FOUND', 'there is nothing at this path');
  }
  const allowed = [...new Set([...matched, 'OPTIONS'])].sort().join(', ');
  ctx.set('Allow', allowed);
  if (ctx.method !== 'OPTIONS') {
    throw new Refusal(
      'METHOD_NOT_ALLOWED',
      `this path does not support the method; it allows ${allowed}`,
    );
  }
  writeReply(ctx, { status: 204, body: null });
}
