import { Refusal } from '../../domain/refusal.ts';
import { withoutEmpty } from '../absent.ts';
import { parseInput } from '../input.ts';
import { costOf } from '../limits/call-cost.ts';
import { parseBody } from '../receiving/body.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { BoundRoute, KeyedCall } from '../route.ts';
import { otherWaitMs, withinWait } from '../within-wait.ts';
import { answerOffloaded } from './answer-offloaded.ts';
import { permit } from './authentication.ts';
import { type Counting, countCall, countingOf } from './count-call.ts';
import type { RunDeps } from './run-route.ts';
import { whenAnswered } from './when-answered.ts';

/** The HTTP request in which a route is called, and its caller. */
export interface InsideCall extends Pick<KeyedCall<unknown, unknown, unknown>, 'caller' | 'meta'> {
  readonly ctx: Context;
}

/** Input of a route, as if from path, query and body; the values are not validated yet. */
export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** True to leave the nonce for another answer: the answer to this call does not contain it. */
  readonly keepsNonce?: boolean;
}

/**
 * Runs a route within another request, with the checks of `runRoute`: standing, scope, limits and
 * input. The request itself has paid for one. Rejects as the route does.
 */
export async function callAsKey(
  route: BoundRoute,
  deps: RunDeps,
  call: InsideCall,
  input: RouteInput,
): Promise<Reply> {
  const { ctx, caller } = call;
  if (route.scope !== null) permit(caller, route.scope);
  return callInside(route, deps, { ...call, ...countingOf(ctx, deps.limits, caller) }, input);
}

/** As `callAsKey`, for a caller who may call the route, and who pays in another way. */
export async function callInside(
  route: BoundRoute,
  deps: RunDeps,
  { ctx, caller, meta, ...counting }: InsideCall & Counting,
  input: RouteInput,
): Promise<Reply> {
  const params = route.params && parseInput(route.params, input.params ?? {});
  const { requestId } = ctx.state;
  const base = '/api/v1';
  const headers = { ...input.headers };
  if (route.scope === null) {
    const query = route.query && parseInput(route.query, withoutEmpty(input.query ?? {}));
    return withinWait(route.handle({ params, query, headers, requestId, base }), deps);
  }
  if ('form' in route) throw new TypeError(`${route.operationId} takes a file`);
  const bytes = input.json && new TextEncoder().encode(JSON.stringify(input.json));
  const head = { ...headers, ...(bytes && { 'content-length': String(bytes.length) }) };
  const cost = costOf(route)?.of({ query: input.query ?? {}, headers: head }) ?? 1;
  const counted = await countCall(counting, { cost, paid: 1 });
  const query = route.query && parseInput(route.query, withoutEmpty(input.query ?? {}));
  const listeners: ((isSuccess: boolean) => void)[] = [];
  const noted = {
    ...{ params, query, headers: head, requestId, base, caller, meta, ...counted },
    whenAnswered: (listener: (isSuccess: boolean) => void) => void listeners.push(listener),
  };
  try {
    if ('isOffloaded' in route) {
      return await answerOffloaded(route, deps.offloading, ctx, noted, bytes ?? null);
    }
    const body = route.body && bytes ? parseBody(route.body, bytes) : undefined;
    if (route.body && !bytes) throw new Refusal('INVALID_JSON', 'the body is empty');
    const alsoMs = otherWaitMs(route, deps);
    const reply = await withinWait(route.handle({ ...noted, body }), deps, alsoMs);
    if (!input.keepsNonce) for (const listener of listeners.splice(0)) whenAnswered(ctx, listener);
    return reply;
  } finally {
    for (const listener of listeners) listener(false);
  }
}
