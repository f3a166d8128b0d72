import type { Quota, Window } from './quota.ts';

/**
 * Counts calls against limits that all processes share.
 *
 * A call counts in all windows of all its quotas or in none. A refused call counts in none, and succeeds
 * after `retryAfterSeconds` if no other call has taken its place. A null verdict means that the counts
 * cannot be read now, and that the call is to be let through. Never rejects, and answers within a bounded
 * time even if the database does not.
 */
export interface RequestLimiter {
  /** Counts one call, if the limits allow it. */
  take(quotas: readonly Quota[], weight?: Weight): Promise<Verdict | null>;
  /** Reads the counts without counting. `allowed` is true if a call of cost 1 would be allowed. */
  look(quotas: readonly Quota[]): Promise<Verdict | null>;
}

/** Weight of a call, in requests. */
export interface Weight {
  readonly cost: number;
  /** Requests that were counted for the same call before; default 0. */
  readonly paid?: number;
}

/**
 * Requests that a call counts as in a window of this limit. A call that costs more than the limit counts as
 * the whole limit, so that it succeeds in a fresh window.
 */
export function chargeOf({ cost, paid = 0 }: Weight, limit: number): number {
  return Math.max(0, Math.min(cost, limit) - Math.min(paid, limit));
}

export interface Verdict {
  readonly allowed: boolean;
  /** How things stand after the call. */
  readonly windows: readonly WindowState[];
}

/** State of a window after a call. */
export interface WindowState extends Pick<Window, 'name' | 'limit'> {
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly leftMs: number;
  /** True if too little remains for the call. */
  readonly refuses: boolean;
}

/** Whole seconds after which a refused call succeeds: as long as the longest window that refuses. */
export function retryAfterSeconds({ windows }: Verdict): number {
  const refusing = windows.filter(({ refuses }) => refuses);
  return Math.max(1, ...refusing.map(({ leftMs }) => Math.ceil(leftMs / 1_000)));
}
