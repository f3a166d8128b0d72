import { readdir } from 'node:fs/promises';
import { type Test, test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { hashOf } from '../support/api-client.ts';
import {
  type Attempt,
  attemptAll,
  checkSettled,
  outcomesOf,
} from '../support/interrupted-posts.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import {
  countEvents,
  emptyDataDir,
  newDataDir,
  type Program,
  type ProgramOptions,
  runProgram,
  startProgram,
  stop,
} from '../support/program.ts';
import { runCount } from '../support/run-count.ts';
import { until } from '../support/until.ts';

/** Posts in flight at each interrupt. */
const posts = runCount(20, 50);

interface Case {
  readonly name: string;
  readonly options?: ProgramOptions;
  readonly closeMs: string;
  /** Send Ctrl-C once the log has this many events of the type. */
  readonly moment: readonly [type: string, count: number];
  readonly outcomes: RegExp;
}

/** The slow ledger comes first: after an interrupt a start may wait until a ledger closes. */
const cases: readonly Case[] = [
  {
    name: 'under npm, long before the ledger closes: all posts are settled after the restart',
    options: { command: ['npm', 'start', '--silent'] },
    closeMs: '60000',
    moment: ['AnchorPrepared', posts],
    outcomes: /^502 PROOF_NOT_RECORDED$/,
  },
  {
    name: 'when the first post arrives',
    closeMs: '500',
    moment: ['ProofRequested', 1],
    outcomes: /^(201|502 XRPL_ERROR|502 PROOF_NOT_RECORDED|no answer)$/,
  },
  {
    name: 'before the ledger closes: all posts are still answered',
    closeMs: '2000',
    moment: ['AnchorPrepared', posts],
    outcomes: /^201$/,
  },
];

test('Ctrl-C with many posts in flight', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { DATA_DIR: dataDir };
  let organisation: Awaited<ReturnType<typeof openOrganisation>> | undefined;
  const all: Attempt[] = [];
  const check = async (t: Test, { address }: Program) => {
    if (organisation === undefined) organisation = await openOrganisation(env);
    else await checkSettled(t, { address, ...organisation }, dataDir, all);
    return { address, ...organisation };
  };

  for (const { name, options, closeMs, moment, outcomes } of cases) {
    await t.test(name, async (t) => {
      const program = await startProgram(t, { ...env, STANDALONE_CLOSE_MS: closeMs }, options);
      // Each start is also the restart after the interrupt before.
      const caller = await check(t, program);
      const [type, count] = moment;
      const before = await countEvents(dataDir, type);
      const hashes = Array.from({ length: posts }, (_, index) => hashOf(`${name} ${index}`));
      const answers = attemptAll(caller, hashes);
      const come = async () => (await countEvents(dataDir, type)) >= before + count;
      await until(`${count} ${type}`, come);
      program.interrupt();
      const attempts = await answers;
      t.match(await program.ended, { code: 0, signal: null });
      // It would still run if the program had ended by force, after 9.5 s.
      t.equal(await findEmbeddedPostgres({ dataDir }), null, 'PostgreSQL is stopped');
      for (const outcome of outcomesOf(attempts)) t.match(outcome, outcomes);
      all.push(...attempts);
    });
  }
  const restarted = await startProgram(t, env);
  await check(t, restarted);
  t.match(await stop(restarted), { code: 0, stderr: '' });
});

const files = (dataDir: string) => readdir(dataDir, { recursive: true });
const runs = (file: string) => file === 'postgres/postmaster.pid';
const isNew = (file: string) => file.startsWith('postgres.new-');

test('Ctrl-C during a start leaves nothing running, and the next start works', async (t) => {
  const dataDir = await emptyDataDir(t);
  for (const { moment, isNow } of [
    { moment: 'creates its database', isNow: isNew },
    { moment: 'starts its database', isNow: runs },
  ]) {
    await t.test(`while the program ${moment}`, async (t) => {
      const starting = runProgram(t, { DATA_DIR: dataDir });
      await until(`the program ${moment}`, async () =>
        (await files(dataDir).catch(() => [])).some(isNow),
      );
      starting.interrupt();
      t.match(await starting.ended, { code: 0, signal: null, stderr: '' });
      const left = (await files(dataDir)).filter((file) => runs(file) || isNew(file));
      t.strictSame(left, [], 'PostgreSQL is stopped, and nothing is left of its creation');
      t.match(await stop(await startProgram(t, { DATA_DIR: dataDir })), { code: 0, stderr: '' });
    });
  }
});
