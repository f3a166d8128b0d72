import fc from 'fast-check';
import { test } from 'tap';
import { runCount, withinTime } from '../../support/run-count.ts';
import { arbitraryLossyScenario } from './simulation/arbitrary-scenario.ts';
import { openSimulation } from './simulation/open-simulation.ts';

/** Variables as in fault-property.test.ts. */
const { SEED, FAULT_PATH } = process.env;
const limitMs = 30_000;

test('when the database loses what it confirmed last, nothing is signed or anchored twice', async (t) => {
  t.setTimeout(0);
  const simulate = openSimulation(t);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  let restored = 0;
  const holds = fc.asyncProperty(arbitraryLossyScenario, async (scenario) => {
    const { violations, restores } = await simulate(scenario);
    restored += restores;
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
  });
  const path = FAULT_PATH === undefined ? {} : { path: FAULT_PATH };
  const numRuns = runCount(40, 1_000);
  const result = await fc.check(holds, { seed, ...path, ...withinTime(limitMs), numRuns });
  t.comment(`${result.numRuns} runs, ${restored} new epochs of the log`);
  if (result.failed) {
    const replay = `replay with SEED=${seed} FAULT_PATH=${result.counterexamplePath}`;
    t.fail(
      `${String(result.errorInstance)}\n${replay}\n${JSON.stringify(result.counterexample?.[0])}`,
    );
    return;
  }
  t.pass(`${result.numRuns} histories`);
  if (FAULT_PATH === undefined && result.numRuns >= 40) t.ok(restored > 0, 'losses were found');
});
