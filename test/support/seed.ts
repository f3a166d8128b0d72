import type { Test } from 'tap';

/** Random numbers in [0, 1); the same seed gives the same numbers. */
export type Random = () => number;

/** Seeds by `SEED`, else by the clock. The test's output contains the command to replay it. */
export function seededRandom(t: Pick<Test, 'comment'>): Random {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  return randomFrom(seed);
}

/** Generates the numbers of one seed with mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
