import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that the loop below takes on a quiet machine with processors of 2023. */
const quietMs = 8;
const samples = 9;
/** A machine that is slower than this proves nothing about time. */
const mostTimes = 6;

/**
 * A limit for a quiet machine, in milliseconds, made longer by as much as this machine is slower now: test
 * files beside this one take its processors. Never shorter than `ms`, and at most six times as long.
 */
export async function onThisMachine(ms: number): Promise<number> {
  const measured: number[] = [];
  while (measured.length < samples) {
    measured.push(loopMs());
    await sleep(25);
  }
  const [median = quietMs] = measured.toSorted((a, b) => a - b).slice(samples >> 1);
  return ms * Math.min(mostTimes, Math.max(1, median / quietMs));
}

function loopMs(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let turn = 0; turn < 6_000_000; turn += 1) sum += turn % 7;
  if (sum < 0) throw new Error('never');
  return performance.now() - startedAt;
}
