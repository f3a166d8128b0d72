const { CI, RUNS } = process.env;

/** True where `CI` is set: random histories are long there, tables of cases complete, and large files large. */
export const isThorough = CI !== undefined && !['', '0', 'false'].includes(CI);

/** Number of random cases to draw: `short` by default, `long` where `CI` is set, or as many as `RUNS` says. */
export function runCount(short: number, long: number): number {
  return Number(RUNS || (isThorough ? long : short));
}
