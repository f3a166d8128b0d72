import tap, { type Test, test } from 'tap';
import { drawCases } from '../../support/draw-cases.ts';
import {
  type PlannedFault,
  type Post,
  type Scenario,
  stepFaults,
  steps,
  type UploadPost,
  type WorldEvent,
} from './simulation/faults.ts';
import { openSimulation } from './simulation/open-simulation.ts';

const second = 1_000;
/** Every second post waits for its answer. Posts come before, during and after the fault. */
const posts: readonly Post[] = Array.from({ length: 8 }, (_, place) => ({
  atMs: 2_500 + place * 1_500,
  file: place,
  queued: place % 2 === 1,
  again: 8,
  pauseMs: 5 * second,
}));

/** One document and its revisions in quick succession. */
const uploads: readonly UploadPost[] = Array.from({ length: 4 }, (_, place) => ({
  atMs: 2_600 + place * 1_500,
  document: 0,
  file: 100 + place,
  again: 8,
  pauseMs: 5 * second,
}));

const quiet: Scenario = {
  seed: 1,
  network: 'testnet',
  processes: 2,
  servers: 2,
  accounts: 2,
  fullSigners: 2,
  closeMs: 2 * second,
  waitMs: 25 * second,
  latencyMs: 100,
  posts,
  uploads,
  allowance: null,
  planned: [],
  events: [],
};

const simulate = openSimulation(tap);

const settings = [
  { processes: 1, servers: 1, accounts: 1 },
  { processes: 2, servers: 2, accounts: 1 },
  { processes: 2, servers: 1, accounts: 2 },
] as const;

/**
 * Runs each fault in the next setting, and fails on any violation. Runs all faults if `CI` is set,
 * else one of them.
 */
async function survives(t: Test, mishaps: readonly Partial<Scenario>[]): Promise<void> {
  const oneOf = mishaps.length;
  for (const [place, mishap] of drawCases(t, mishaps.entries(), () => '', { oneOf })) {
    const setting = settings[place % settings.length];
    const { violations, statuses } = await simulate({ ...quiet, ...setting, ...mishap });
    t.strictSame(violations, [], `${JSON.stringify(setting)} ${JSON.stringify(mishap)}`);
    t.ok(statuses.length > 0, 'proofs were requested');
  }
}

test('without faults every proof is anchored and every caller receives success', async (t) => {
  const { violations, answers, uploadAnswers, statuses } = await simulate(quiet);
  t.strictSame(violations, []);
  t.ok(statuses.every((status) => status === 'completed'));
  t.strictSame(Object.fromEntries(answers), { 201: 4, 202: 4 });
  t.strictSame(Object.fromEntries(uploadAnswers), { created: 4 });
});

for (const step of steps) {
  test(`the ${step}`, async (t) => {
    for (const fault of drawCases(t, stepFaults, () => '', { oneOf: 2 })) {
      await t.test(`${step} ${fault}`, async (t) => {
        // The first time, the second, and three times in a row.
        const times = [[0], [1], [0, 1, 2]];
        const planned = times.map((nths) =>
          nths.map((nth): PlannedFault => ({ step, nth, fault })),
        );
        await survives(
          t,
          planned.map((each) => ({ planned: each })),
        );
      });
    }
  });
}

/** Events around the processes, in words. */
const mishaps: Record<string, WorldEvent> = {
  'every connection is closed with 1008': { kind: 'connections closed with 1008', server: 0 },
  'a server is silent for 10 s': { kind: 'server silent', server: 0, forMs: 10 * second },
  'a server is silent for a minute': { kind: 'server silent', server: 0, forMs: 60 * second },
  'a server answers slowDown 30 times': { kind: 'server slowed down', server: 0, count: 30 },
  'a server is 2 ledgers behind': {
    kind: 'server lags',
    server: 1,
    ledgers: 2,
    forMs: 30 * second,
  },
  'a server is 4 ledgers behind': {
    kind: 'server lags',
    server: 0,
    ledgers: 4,
    forMs: 30 * second,
  },
  'a server has a gap in its history (searched_all is false)': {
    kind: 'server forgets history',
    server: 0,
    ledgers: 10,
    forMs: 60 * second,
  },
  'ledgers that no process saw are forgotten by every server': {
    kind: 'ledgers that no process saw are forgotten',
    forMs: 60 * second,
  },
  'a server shows another ledger for 30 s': {
    kind: 'server shows another ledger',
    server: 0,
    forMs: 30 * second,
  },
  'the ledger halts for 10 s': { kind: 'ledger halted', forMs: 10 * second },
  'the ledger halts for 5 minutes': { kind: 'ledger halted', forMs: 300 * second },
  'the ledger is reset (ledgerId) and settled by an operator': {
    kind: 'ledger reset',
    settledAfterMs: 20 * second,
  },
  'the load factor is 1,000': { kind: 'load factor 1,000', forMs: 40 * second },
  'others fill every ledger for 3 s (terQUEUED)': {
    kind: 'others fill every ledger',
    forMs: 3 * second,
  },
  'others fill every ledger for 12 s (terQUEUED)': {
    kind: 'others fill every ledger',
    forMs: 12 * second,
  },
  'fees rise sevenfold (telINSUF_FEE_P)': { kind: 'fees rise', factor: 7, forMs: 20 * second },
  'the queue is full (telCAN_NOT_QUEUE_FULL)': { kind: 'queue full', forMs: 40 * second },
  'somebody else uses our Sequence (tefPAST_SEQ)': {
    kind: 'somebody else uses our Sequence',
    account: 0,
  },
  'a transaction ends with a tec': { kind: 'transactions end with a tec', count: 1 },
  'five transactions end with a tec': { kind: 'transactions end with a tec', count: 5 },
  'an accepted transaction vanishes and later ones wait for it (terPRE_SEQ)': {
    kind: 'accepted transactions vanish',
    count: 1,
  },
  'twenty accepted transactions vanish': { kind: 'accepted transactions vanish', count: 20 },
  'the database is away for 3 s': { kind: 'database away', forMs: 3 * second },
  'the database is away for 40 s': { kind: 'database away', forMs: 40 * second },
  'the clock jumps an hour ahead': { kind: 'clock jumps', byMs: 3_600 * second },
  'the clock jumps an hour back': { kind: 'clock jumps', byMs: -3_600 * second },
  'a process is killed': { kind: 'process killed', process: 0, forMs: 0 },
  'a process is frozen for a minute and replaced': {
    kind: 'process frozen',
    process: 0,
    forMs: 60 * second,
  },
  'a process loses its locks unawares': { kind: 'locks lost', process: 0 },
  'the process that answers callers is killed': { kind: 'API killed', forMs: 0 },
  'an operator gives a revision up that waits': { kind: 'an operator gives up', proof: 1 },
};

/** Before the ledger is joined, at the first signatures, with many under way, and later. */
const moments = [500, 2_700, 6_000, 9_300, 13_000];

for (const [words, event] of Object.entries(mishaps)) {
  test(`${words}: every proof is settled once, every answer is true`, async (t) => {
    await survives(
      t,
      moments.map((atMs) => ({ events: [{ ...event, atMs }] })),
    );
  });
}
