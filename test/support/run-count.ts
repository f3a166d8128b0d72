const { CI, RUNS } = process.env;

/** True if `CI` is set: then random histories are long, tables of cases complete, and large files large. */
export const isThorough = CI !== undefined && !['', '0', 'false'].includes(CI);

/** Number of random cases: `short` by default, `long` if `CI` is set, or the number in `RUNS`. */
export function runCount(short: number, long: number): number {
  return Number(RUNS || (isThorough ? long : short));
}

/**
 * Ends the random cases of fast-check after `ms` without failing, so that a slow machine draws fewer of them.
 * With `RUNS` all are drawn.
 */
export function withinTime(ms: number): { readonly interruptAfterTimeLimit?: number } {
  return RUNS ? {} : { interruptAfterTimeLimit: ms };
}
