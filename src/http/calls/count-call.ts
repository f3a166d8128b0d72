import type { KeyAccess } from '../../../projections/access/query.ts';
import {
  type CallLimits,
  type GiveBackItems,
  limitItems,
  limitKey,
} from '../limits/limit-calls.ts';
import type { Weight } from '../limits/request-limiter.ts';
import type { Context } from '../request-state.ts';
import type { KeyedCall } from '../route.ts';

/** Counts of one caller. Both reject with `RateLimitExceeded`. */
export interface Counting {
  /** Counts the call. */
  readonly limit: (weight: Weight) => Promise<void>;
  /** Counts the items of a batch. */
  readonly limitItems: (items: number) => Promise<GiveBackItems>;
}

/** Counts of a key and of its organisation. */
export function countingOf(ctx: Context, deps: CallLimits, caller: KeyAccess): Counting {
  return {
    limit: (weight) => limitKey(ctx, deps, caller, weight),
    limitItems: (items) => limitItems(ctx, deps, caller, items),
  };
}

/** Cost of a call, and the functions with which its handler raises it and counts items. */
export type CountedCall = Pick<
  KeyedCall<unknown, unknown, unknown>,
  'paid' | 'weigh' | 'countItems'
>;

/**
 * Counts a permitted call with its cost in requests. `paid`: those counted for it before. Rejects
 * with `RateLimitExceeded`.
 */
export async function countCall(
  { limit, limitItems: countItems }: Counting,
  { cost, paid = 0 }: Weight,
): Promise<CountedCall> {
  let paidInAll = paid;
  const weigh = async (atLeast: number) => {
    if (atLeast <= paidInAll) return;
    await limit({ cost: atLeast, paid: paidInAll });
    paidInAll = atLeast;
  };
  await weigh(cost);
  return { paid: paidInAll, weigh, countItems };
}
