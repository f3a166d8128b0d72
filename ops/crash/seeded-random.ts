/** Random numbers from a seed, so that a run's choices can be repeated. */
export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  /** A new array with the same values in random order. */
  shuffle<Value>(values: readonly Value[]): Value[];
}

/** Mulberry32: small, and random enough to choose moments and victims. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    shuffle: (values) =>
      values
        .map((value) => ({ value, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
  };
}
