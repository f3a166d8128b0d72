import type { TakenSequence } from './logged-history.ts';

/** A service was killed or frozen at `at`, while all were healthy. Unix milliseconds. */
export interface Loss {
  readonly at: number;
  /** Time of the next kill. */
  readonly until: number;
}

/**
 * Returns, in ascending order, the milliseconds from each loss until every account was used again.
 * Ignores a take-over interrupted by the next kill.
 */
export function takeOverTimes(
  losses: readonly Loss[],
  taken: readonly TakenSequence[],
): readonly number[] {
  const usesOf = Map.groupBy(taken, ({ account }) => account);
  const times = losses.flatMap(({ at, until }) => {
    const uses = [...usesOf.values()].map(
      (ofAccount) => ofAccount.find((use) => use.at > at)?.at ?? Infinity,
    );
    const last = Math.max(...uses);
    return last < until ? [last - at] : [];
  });
  return times.sort((a, b) => a - b);
}
