import type { RouterContext } from '@koa/router';
import { Refusal } from '../domain/refusal.ts';
import { writeReply } from './reply.ts';
import type { RequestState } from './request-state.ts';

/**
 * Answers what no route took: OPTIONS with what the path allows, otherwise 405 METHOD_NOT_ALLOWED
 * with `Allow`, or 404 NOT_FOUND where the path is none of ours.
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
    throw new Refusal('METHOD_NOT_ALLOWED', `this path allows ${allowed}`);
  }
  writeReply(ctx, { status: 204, body: null });
}

/** Whether the path's percent-encoding stands for UTF-8 text. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
