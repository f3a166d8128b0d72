import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Test } from 'tap';
import type { Scenario } from './faults.ts';
import type { Outcome } from './simulate.ts';

export type PostedOutcome = Omit<Outcome, 'virtualMs' | 'ledgers' | 'world' | 'processes'>;

/**
 * Simulates in a thread of its own until `t` ends. The test runner watches every promise of the
 * main thread, which makes a run three times as slow.
 */
export function openSimulation(
  t: Pick<Test, 'teardown'>,
): (scenario: Scenario) => Promise<PostedOutcome> {
  const script = new URL('./simulation-worker.ts', import.meta.url);
  const worker = new Worker(script, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  t.teardown(() => worker.terminate());
  return async (scenario) => {
    worker.postMessage(scenario);
    const [outcome] = await once(worker, 'message');
    return outcome;
  };
}
