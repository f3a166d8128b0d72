import fc from 'fast-check';
import { test } from 'tap';
import { runCount, withinTime } from '../../support/run-count.ts';
import type { Scenario } from './simulation/faults.ts';
import { openSimulation } from './simulation/open-simulation.ts';

/** `SEED` replays all runs of a seed; `RUNS` sets the number of runs and lifts the time limit. */
const { SEED } = process.env;
const limitMs = 30_000;
const second = 1_000;
const within = (min: number, max: number) =>
  fc.integer({ min: Math.round(min * second), max: Math.round(max * second) });

const moments = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  frozenAt: within(30, 40),
  frozenFor: within(25, 45),
  /** Relative to the freeze. */
  crowdedAt: within(-1.5, 0),
  crowdedFor: within(16, 34),
  /** After the freeze. */
  killedAfter: within(20, 42),
  /** After the end of the freeze. */
  lateFor: within(1, 30),
});
type Moments = typeof moments extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * A process is frozen with its transactions outstanding. The second process replaces them, and ends
 * for a while. The first one wakes up, and reads ledgers before the log.
 */
function scenarioOf(at: Moments): Scenario {
  const { seed, frozenAt, frozenFor, crowdedAt, crowdedFor, killedAfter, lateFor } = at;
  const kills = Array.from({ length: 20 }, (_, place) => frozenAt + killedAfter + place * 3_500);
  return {
    seed,
    network: 'testnet',
    processes: 2,
    servers: 1,
    accounts: 1,
    fullSigners: 2,
    closeMs: 10 * second,
    waitMs: 45 * second,
    latencyMs: 20,
    posts: Array.from({ length: 4 }, (_, place) => ({
      atMs: frozenAt - 3 * second + place * 400,
      file: place,
      queued: true,
      again: 0,
      pauseMs: second,
    })),
    uploads: [],
    allowance: null,
    planned: [],
    events: [
      { kind: 'others fill every ledger', atMs: frozenAt + crowdedAt, forMs: crowdedFor },
      { kind: 'process frozen', process: 0, atMs: frozenAt, forMs: frozenFor },
      {
        kind: 'process follows the log late',
        process: 0,
        atMs: frozenAt,
        forMs: frozenFor + lateFor,
      },
      ...kills.map((atMs) => ({ kind: 'process killed', process: 1, atMs, forMs: 0 }) as const),
    ],
  };
}

/** Histories in which a validated replacement was once settled as absent. */
const known: readonly Moments[] = [
  [688_949_298, 35_927, 29_633, -1_292, 23_161, 33_399, 27_065] as const,
  [106_214_473, 30_307, 42_159, -472, 31_917, 23_970, 7_092] as const,
  [2_118_375_473, 30_455, 37_718, -1_266, 22_253, 25_360, 6_608] as const,
  [328_201_833, 30_577, 32_022, -694, 26_069, 25_689, 29_722] as const,
].map(([seed, frozenAt, frozenFor, crowdedAt, crowdedFor, killedAfter, lateFor]) => {
  return { seed, frozenAt, frozenFor, crowdedAt, crowdedFor, killedAfter, lateFor };
});

test('a process that takes over again reads what was replaced meanwhile', async (t) => {
  t.setTimeout(0);
  const simulate = openSimulation(t);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  let replaced = 0;
  const holds = fc.asyncProperty(fc.noBias(moments), async (at) => {
    const { violations, replacements } = await simulate(scenarioOf(at));
    replaced += replacements;
    if (violations.length > 0) throw new Error(violations.join('\n'));
  });
  const examples = known.map((at): [Moments] => [at]);
  const numRuns = runCount(10, 200);
  const result = await fc.check(holds, { seed, examples, numRuns, ...withinTime(limitMs) });
  if (result.failed) {
    t.fail(`${String(result.errorInstance)}\n${JSON.stringify(result.counterexample?.[0])}`);
  }
  t.ok(replaced > 0, `${replaced} replacements in ${result.numRuns} histories`);
});
