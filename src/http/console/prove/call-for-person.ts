import { permit } from '../../calls/authentication.ts';
import { callAsKey, type RouteInput } from '../../calls/call-inside.ts';
import type { RunDeps } from '../../calls/run-route.ts';
import { shareAnswer } from '../../calls/share-answer.ts';
import { limitKey } from '../../limits/limit-calls.ts';
import type { Reply } from '../../reply.ts';
import type { BoundRoute } from '../../route.ts';
import { consoleHeaders } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { personCaller } from './person-caller.ts';

/**
 * Calls a route of the API for an owner. The call counts as that of a key does, for the person and
 * for the organisation, and a large answer has a share of the memory. Rejects as the route does, and
 * with `RateLimitExceeded`.
 */
export async function callForPerson(
  route: BoundRoute,
  run: RunDeps,
  { ctx, viewer, meta }: Pick<ViewRequest, 'ctx' | 'viewer' | 'meta'>,
  input: RouteInput,
): Promise<Reply> {
  const caller = await personCaller(run.authentication, viewer);
  if (route.scope !== null) permit(caller, route.scope);
  await limitKey(ctx, run.limits, caller);
  const reply = await callAsKey(route, run, { ctx, caller, meta }, input);
  await shareAnswer(ctx, reply, run, caller);
  return { ...reply, headers: { ...reply.headers, ...consoleHeaders } };
}
