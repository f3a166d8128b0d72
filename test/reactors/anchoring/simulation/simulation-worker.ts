import { parentPort } from 'node:worker_threads';
import type { Scenario } from './faults.ts';
import { simulate } from './simulate.ts';

/** Lives through scenarios, one after the other, and tells what came of each. */
parentPort?.on('message', async (scenario: Scenario) => {
  const { violations, answers, uploadAnswers, statuses } = await simulate(scenario);
  parentPort?.postMessage({ violations, answers, uploadAnswers, statuses });
});
