import fc from 'fast-check';
import { test } from 'tap';
import { runCount, withinTime } from '../../support/run-count.ts';
import { arbitraryLossyScenario, arbitraryScenario } from './simulation/arbitrary-scenario.ts';
import { openSimulation } from './simulation/open-simulation.ts';

/**
 * `SEED` replays all runs of a seed. `SEED` with `FAULT_PATH`, as printed by a failure, replays one
 * run. `LOSS_PATH` does the same for histories in which the database loses events. `RUNS` sets the
 * number of runs and lifts the time limit.
 */
const { SEED, FAULT_PATH, LOSS_PATH } = process.env;
const limitMs = 30_000;
/** Number of histories with a loss for each history without one. */
const shareOfLosses = 0.1;

test('under random faults every proof is settled once and every answer is true', async (t) => {
  t.setTimeout(0);
  const simulate = openSimulation(t);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  const heard = new Map<string, number>();
  const holds = fc.asyncProperty(arbitraryScenario, async (scenario) => {
    const { violations, answers, uploadAnswers, replacements, ahead } = await simulate(scenario);
    heard.set('replacement', (heard.get('replacement') ?? 0) + replacements);
    heard.set('signed ahead', (heard.get('signed ahead') ?? 0) + ahead);
    for (const [answer, count] of [...answers, ...uploadAnswers]) {
      heard.set(answer, (heard.get(answer) ?? 0) + count);
    }
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
  });
  const path = FAULT_PATH === undefined ? {} : { path: FAULT_PATH };
  const numRuns = runCount(50, 1_500);
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
    'signed ahead',
  ]) {
    t.ok((heard.get(answer) ?? 0) > 0, `some callers received ${answer}, or there were some`);
  }
});

test('when the database loses what it confirmed last, nothing is signed or anchored twice', async (t) => {
  t.setTimeout(0);
  const simulate = openSimulation(t);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  let epochs = 0;
  const holds = fc.asyncProperty(arbitraryLossyScenario, async (scenario) => {
    const { violations, restores } = await simulate(scenario);
    epochs += restores;
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
  });
  const path = LOSS_PATH === undefined ? {} : { path: LOSS_PATH };
  const numRuns = Math.ceil(runCount(100, 1_000) * shareOfLosses);
  const result = await fc.check(holds, { seed, ...path, ...withinTime(limitMs), numRuns });
  t.comment(`${result.numRuns} runs, ${epochs} new epochs of the log`);
  const replay = `replay with SEED=${seed} LOSS_PATH=${result.counterexamplePath}`;
  const history = JSON.stringify(result.counterexample?.[0]);
  t.notOk(result.failed, `${String(result.errorInstance)}\n${replay}\n${history}`);
  if (LOSS_PATH === undefined && result.numRuns >= 10) t.ok(epochs > 0, 'some logs were restored');
});
