import { parentPort } from 'node:worker_threads';
import type { Scenario } from './faults.ts';
import { simulate } from './simulate.ts';

/** Runs scenarios one after another and posts each result. */
parentPort?.on('message', async (scenario: Scenario) => {
  const { violations, answers, uploadAnswers, statuses, replacements, ahead, restores } =
    await simulate(scenario);
  const counted = { replacements, ahead, restores };
  parentPort?.postMessage({ violations, answers, uploadAnswers, statuses, ...counted });
});
