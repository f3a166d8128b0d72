import type { Projection } from './projection.ts';

/** A rebuild needs up to four connections. */
const atOnce = 4;

/**
 * Does the work for several projections at the same time. The one that folds most comes first, as it
 * takes longest. Returns the results in the order of the projections. Rejects with the first error
 * once all have ended.
 */
export async function eachProjection<Result>(
  projections: readonly Projection[],
  work: (projection: Projection) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<Projection, Result>();
  const waiting = projections.toSorted((one, other) => weightOf(other) - weightOf(one));
  const run = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.set(next, await work(next));
    }
  };
  const runs = Array.from({ length: Math.min(atOnce, projections.length) }, run);
  const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  // Each has a result: none has failed.
  return projections.map((projection) => results.get(projection) as Result);
}

/** Types with much data are frequent. */
function weightOf({ fields = {}, tables }: Projection): number {
  return Object.keys(fields).length * 100 + tables.length;
}
