import type { Network } from '../../domain/network.ts';
import type { Turns } from '../../event-store/handling/turns.ts';
import { CostsMore } from '../offload/costs-more.ts';
import type { CallOrder, Offload } from '../offload/offload.ts';
import { receiveBody } from '../receiving/receive-body.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { AnnouncedCall, OffloadedRoute } from '../route.ts';
import { type HttpShares, smallBytes } from '../shares/create-shares.ts';
import { TooMuchAtOnce } from '../shares/too-much-at-once.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { shareAnswer } from './share-answer.ts';

/** Dependencies of handing a call over. */
export interface OffloadedAnswering extends AnswerWait {
  readonly offload: Pick<Offload, 'handle'>;
  readonly turns: Turns;
  readonly shares: HttpShares;
  readonly publicUrl: () => string;
  /** Network for new proofs. */
  readonly network: Network;
}

/** Maximum wait for earlier calls of the same organisation. */
const turnMs = 20_000;

/**
 * Runs the offloaded calls of an organisation one after the other. A turn ends when the answer has
 * its share of the memory. Calls with large bodies take longest and have a queue of their own.
 * `given` is the body if it was received before; null for none.
 */
export async function answerOffloaded(
  route: OffloadedRoute<unknown, unknown, unknown, never, void>,
  deps: OffloadedAnswering,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
  given?: Uint8Array<ArrayBuffer> | null,
): Promise<Reply> {
  const { operationId, body: input } = route;
  const { params, query, requestId, caller, meta } = call;
  if (route.before) await withinWait(route.before(call), deps);
  const isReceived = given !== undefined || input === undefined;
  const received = isReceived ? null : await receiveBody(input, deps, ctx, caller);
  const bytes = received?.bytes ?? given ?? null;
  const name = bytes && bytes.length > smallBytes ? 'large request bodies' : 'lists and runs';
  const late = () => new TooMuchAtOnce(name);
  const { network } = deps;
  const settings = { publicUrl: deps.publicUrl(), network, paid: call.paid };
  const order = { operationId, params, query, requestId, caller, meta, bytes, ...settings };
  try {
    const work = async () => {
      const reply = await handle(order, deps, call.weigh);
      await shareAnswer(ctx, reply, deps, caller);
      return reply;
    };
    const key = `${name} of ${caller.organisationId}`;
    return await deps.turns.take(key, work, { ms: turnMs, late });
  } finally {
    received?.giveBack();
  }
}

/**
 * Handles the call. Each time the thread rejects it with `CostsMore`, charges the cost and handles
 * the call again. The data of the call may have grown meanwhile, so it may cost more once again.
 */
async function handle(
  order: CallOrder,
  { offload }: Pick<OffloadedAnswering, 'offload'>,
  weigh: (cost: number) => Promise<void>,
): Promise<Reply> {
  let { paid } = order;
  for (;;) {
    try {
      return await offload.handle({ ...order, paid });
    } catch (error) {
      // Each round costs more than the one before, so the caller's limit ends them.
      if (!(error instanceof CostsMore) || error.cost <= paid) throw error;
      await weigh(error.cost);
      paid = error.cost;
    }
  }
}
