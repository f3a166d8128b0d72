import fc from 'fast-check';
import { test } from 'tap';
import { runCount, withinTime } from '../../support/run-count.ts';
import { arbitraryScenario } from './simulation/arbitrary-scenario.ts';
import { openSimulation } from './simulation/open-simulation.ts';

/**
 * `SEED` replays all runs of a seed. `SEED` with `FAULT_PATH`, as printed by a failure, replays one
 * run. `RUNS` sets the number of runs and lifts the time limit.
 */
const { SEED, FAULT_PATH } = process.env;
const limitMs = 60_000;

test('under random faults every proof is settled once and every answer is true', async (t) => {
  t.setTimeout(0);
  const simulate = openSimulation(t);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  const heard = new Map<string, number>();
  const holds = fc.asyncProperty(arbitraryScenario, async (scenario) => {
    const { violations, answers, uploadAnswers, replacements } = await simulate(scenario);
    heard.set('replacement', (heard.get('replacement') ?? 0) + replacements);
    for (const [answer, count] of [...answers, ...uploadAnswers]) {
      heard.set(answer, (heard.get(answer) ?? 0) + count);
    }
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
  });
  const path = FAULT_PATH === undefined ? {} : { path: FAULT_PATH };
  const numRuns = runCount(50, 3_000);
  const result = await fc.check(holds, { seed, ...path, ...withinTime(limitMs), numRuns });
  t.comment(`${result.numRuns} runs; answers: ${JSON.stringify(Object.fromEntries(heard))}`);
  if (result.failed) {
    const replay = `replay with SEED=${seed} FAULT_PATH=${result.counterexamplePath}`;
    t.fail(
      `${String(result.errorInstance)}\n${replay}\n${JSON.stringify(result.counterexample?.[0])}`,
    );
    return;
  }
  t.pass(`${result.numRuns} histories`);
  if (FAULT_PATH !== undefined || result.numRuns < 50) return;
  t.ok((heard.get('201') ?? 0) > 0, 'some proofs were anchored');
  if (result.numRuns < 100) return;
  for (const answer of [
    '200',
    '202',
    '502 XRPL_ERROR',
    '502 PROOF_NOT_RECORDED',
    'created',
    'known',
    'replacement',
  ]) {
    t.ok((heard.get(answer) ?? 0) > 0, `some callers received ${answer}, or there were some`);
  }
});
