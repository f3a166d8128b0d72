import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that the loop below takes on a quiet machine with processors of 2023. */
const quietMs = 40;
const samples = 3;

/**
 * A limit for a quiet machine, in milliseconds, made longer by as much as this machine is slower now: test
 * files beside this one take its processors. Never shorter than `ms`.
 */
export async function onThisMachine(ms: number): Promise<number> {
  let slowest = quietMs;
  for (let sample = 0; sample < samples; sample += 1) {
    slowest = Math.max(slowest, loopMs());
    await sleep(50);
  }
  return (ms * slowest) / quietMs;
}

function loopMs(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let turn = 0; turn < 30_000_000; turn += 1) sum += turn % 7;
  if (sum < 0) throw new Error('never');
  return performance.now() - startedAt;
}
