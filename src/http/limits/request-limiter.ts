import type { Quota, Window } from './quota.ts';

/**
 * Counts calls against limits that all processes share.
 *
 * A call counts in all windows of all its quotas or in none. A refused call counts in none, and
 * succeeds after `retryAfterSeconds` if no other call has taken its place. A null verdict means
 * that the counts cannot be read now: let the call through. Never rejects. Answers within a bounded
 * time even if the database does not.
 */
export interface RequestLimiter {
  /** Counts one call, if the limits allow it. */
  take(quotas: readonly Quota[], weight?: Weight): Promise<CallVerdict | null>;
  /** Reads the counts without counting. `allowed` is true if a call of cost 1 would be allowed. */
  look(quotas: readonly Quota[]): Promise<CallVerdict | null>;
  /**
   * Takes a part of the cost of a call back from the day windows that `counted`, the verdict on the
   * call, describes. `part.paid` stays counted. A window that has ended meanwhile gets nothing, and
   * no window gets more than it has counted. Resolves with the counts afterwards.
   */
  giveBack(
    quotas: readonly Quota[],
    counted: CallVerdict,
    part: Weight,
  ): Promise<CallVerdict | null>;
}

/** Weight of a call, in requests. */
export interface Weight {
  readonly cost: number;
  /** Requests that were counted for the same call before; default 0. */
  readonly paid?: number;
}

/**
 * Number of requests charged for a call in a window with this limit. A cost above the limit is
 * charged as the whole limit, so that the call succeeds in a fresh window.
 */
export function chargeOf({ cost, paid = 0 }: Weight, limit: number): number {
  return Math.max(0, Math.min(cost, limit) - Math.min(paid, limit));
}

export interface CallVerdict {
  readonly allowed: boolean;
  /** States of the windows after the call. */
  readonly windows: readonly WindowState[];
}

/** State of a window after a call. */
export interface WindowState extends Pick<Window, 'name' | 'limit'> {
  readonly remaining: number;
  /** Milliseconds until the whole limit is available again. */
  readonly leftMs: number;
  /** True if too little remains for the call. */
  readonly refuses: boolean;
}

/**
 * Whole seconds after which a refused call succeeds: the longest time left of the refusing windows.
 */
export function retryAfterSeconds({ windows }: CallVerdict): number {
  const refusing = windows.filter(({ refuses }) => refuses);
  return Math.max(1, ...refusing.map(({ leftMs }) => Math.ceil(leftMs / 1_000)));
}
