import type { TakenSequence } from './logged-history.ts';

/** A service was killed or frozen at that moment, when all had been well. Unix milliseconds. */
export interface Loss {
  readonly at: number;
  /** When the next thing was killed. */
  readonly until: number;
}

/**
 * For each loss, how many milliseconds passed until every account had been anchored from again;
 * those that the next kill came in between are left out. Ascending.
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
