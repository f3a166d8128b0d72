import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';

/** Longer than a killed process keeps its locks. */
const patienceMs = 10_000;

/**
 * Acquires work locks, so that no process of the service does that work. Rejects if a process still
 * holds one after 10 s. Resolves with a function that releases the locks.
 */
export async function lockOutService(
  url: string,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const locks = openWorkLocks(url);
  const until = performance.now() + patienceMs;
  try {
    for (const name of names) {
      while ((await locks.hold(name)) === null) {
        if (performance.now() < until) await delay(500);
        else
          throw new OperatorError(
            'the service is running on this database: stop all its processes first',
          );
      }
    }
    return () => locks.close();
  } catch (error) {
    await locks.close();
    throw error;
  }
}
