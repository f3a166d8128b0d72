import { setTimeout as delay } from 'node:timers/promises';
import { openWorkLocks } from '../src/subscriptions/work-locks.ts';

/** Longer than a process that was killed keeps its locks. */
const patienceMs = 10_000;

/**
 * Takes pieces of work so that no process of the service does them meanwhile. Rejects where one is at
 * work. Resolves with what gives them back.
 */
export async function holdStill(
  url: string,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const locks = openWorkLocks(url);
  const until = performance.now() + patienceMs;
  try {
    for (const name of names) {
      while ((await locks.hold(name)) === null) {
        if (performance.now() < until) await delay(500);
        else throw new Error('the service runs on this database: stop all its processes first');
      }
    }
    return () => locks.close();
  } catch (error) {
    await locks.close();
    throw error;
  }
}
