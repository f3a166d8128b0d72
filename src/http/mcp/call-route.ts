import { Refusal } from '../../domain/refusal.ts';
import { withoutEmpty } from '../absent.ts';
import { answerOffloaded } from '../calls/answer-offloaded.ts';
import { permit } from '../calls/authentication.ts';
import type { RunDeps } from '../calls/run-route.ts';
import { whenAnswered } from '../calls/when-answered.ts';
import { parseInput } from '../input.ts';
import { costOf } from '../limits/call-cost.ts';
import { limitItems, limitKey } from '../limits/limit-calls.ts';
import { parseBody } from '../receiving/body.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { KeyedCall, Route } from '../route.ts';
import { withinWait } from '../within-wait.ts';

/** The HTTP request in which a tool is called. */
export interface ToolCall extends Pick<KeyedCall<unknown, unknown, unknown>, 'caller' | 'meta'> {
  readonly ctx: Context;
}

/** Input of a route, as if from path, query and body; the values are not validated yet. */
export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** True to leave the nonce for another answer: the answer to the tool does not contain it. */
  readonly keepsNonce?: boolean;
}

/**
 * Runs a route for a tool, with the checks of `runRoute`: standing, scope, limits and input. The
 * request itself has paid for one. Rejects as the route does.
 */
export async function callRoute<Deps extends RunDeps>(
  route: Route<Deps>,
  deps: Deps,
  { ctx, caller, meta }: ToolCall,
  input: RouteInput,
): Promise<Reply> {
  const params = route.params && parseInput(route.params, input.params ?? {});
  const { requestId } = ctx.state;
  const base = '/api/v1';
  const headers = { ...input.headers };
  if (route.scope === null) {
    const query = route.query && parseInput(route.query, withoutEmpty(input.query ?? {}));
    return withinWait(route.handle({ params, query, headers, requestId, base }, deps), deps);
  }
  permit(caller, route.scope);
  if ('form' in route) throw new TypeError(`${route.operationId} takes a file`);
  const bytes = input.json && new TextEncoder().encode(JSON.stringify(input.json));
  const head = { ...headers, ...(bytes && { 'content-length': String(bytes.length) }) };
  let paid = 1;
  const weigh = async (cost: number) => {
    if (cost <= paid) return;
    await limitKey(ctx, deps, caller, { cost, paid });
    paid = cost;
  };
  const countItems = (items: number) => limitItems(ctx, deps, caller, items);
  await weigh(costOf(route)?.of({ query: input.query ?? {}, headers: head }) ?? 1);
  const query = route.query && parseInput(route.query, withoutEmpty(input.query ?? {}));
  const listeners: ((isSuccess: boolean) => void)[] = [];
  const noted = {
    ...{ params, query, headers: head, requestId, base, caller, meta, paid, weigh, countItems },
    whenAnswered: (listener: (isSuccess: boolean) => void) => void listeners.push(listener),
  };
  try {
    if ('isOffloaded' in route) {
      return await answerOffloaded(route, deps, ctx, noted, bytes ?? null);
    }
    const body = route.body && bytes ? parseBody(route.body, bytes) : undefined;
    if (route.body && !bytes) throw new Refusal('INVALID_JSON', 'the body is empty');
    const alsoMs = route.awaitsProof ? deps.proofWaitMs : 0;
    const reply = await withinWait(route.handle({ ...noted, body }, deps), deps, alsoMs);
    if (!input.keepsNonce) for (const listener of listeners.splice(0)) whenAnswered(ctx, listener);
    return reply;
  } finally {
    for (const listener of listeners) listener(false);
  }
}
