import { type Test, test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { query } from '../embedded/run-service.ts';
import { type Caller, hashOf, postProof, prove } from '../support/api-client.ts';
import { plain } from '../support/interrupted-posts.ts';
import { startHosted } from '../support/ledger-process.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { type Program, ready, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

const withinMs = 10_000;
const accountCount = 3;

test('another service takes over accounts and read models', async (t) => {
  const site = await startHosted(t, { closeMs: 250, accounts: accountCount });
  const { env, databaseUrl, ledger, accounts } = site;
  const organisation = await openOrganisation(env);
  const first = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
  await until('one service holds all accounts', () => holdersOf(databaseUrl));
  const second = await startProgram(t, env);
  const [ofFirst, ofSecond] = [first, second].map(
    ({ address }): Caller => ({ address, ...organisation }),
  ) as [Caller, Caller];
  let acknowledged = 0;

  await t.test('of a frozen one, which takes nothing back when it wakes up', async (t) => {
    const created = await takeOver(t, databaseUrl, ofSecond, first, 'SIGSTOP', async (holders) => {
      first.kill('SIGCONT');
      await ready(first.address);
      await prove(ofFirst, hashOf('woken'), plain);
      t.strictSame(await holdersOf(databaseUrl), holders, 'the woken service takes nothing back');
    });
    acknowledged += created + 1;
  });
  // Until the fate of a frozen process's transaction is known, its account signs nothing.
  const paused = /^(\{[^\n]*"obstacle":"undecidedTransaction"[^\n]*\}\n)*$/;
  t.match(second.printed().stderr, paused);

  await t.test('of a killed one within 10 s', async (t) => {
    acknowledged += await takeOver(t, databaseUrl, ofFirst, second, 'SIGKILL');
  });
  const proofs = await readLedgerProofs(ledger.url, accounts);
  t.equal(
    new Set(proofs.map(({ fileHash }) => fileHash)).size,
    proofs.length,
    'no hash is anchored twice',
  );
  t.equal(proofs.length, acknowledged, 'the ledger holds the acknowledged proofs and no other');
  t.match(await stop(first), { code: 0 });
});

/**
 * Sends the signal to the holder of all accounts while callers post to the other service. Resolves with the
 * number of acknowledged proofs.
 */
async function takeOver(
  t: Test,
  databaseUrl: string,
  caller: Caller,
  holding: Program,
  signal: 'SIGKILL' | 'SIGSTOP',
  afterwards: (holders: readonly number[] | null) => Promise<void> = async () => {},
): Promise<number> {
  const [holder] = await until('one service holds all accounts', () => holdersOf(databaseUrl));
  const posting = keepPosting(caller, signal);
  const began = Date.now();
  await until('each account is in use', () => usesSince(databaseUrl, began));
  // A process frozen while it is late holds transactions open, which PostgreSQL ends after 8 s.
  await until('read models are not late', () => areReadSince(databaseUrl, began));

  const at = Date.now();
  holding.kill(signal);
  const [uses, readMs] = await Promise.all([
    until('another service uses each account', () => usesSince(databaseUrl, at)),
    until('read models and webhooks continue', () => areReadSince(databaseUrl, at)).then(
      () => Date.now() - at,
    ),
  ]);
  const ms = Math.max(...uses) - at;
  t.comment(`${accountCount} accounts were taken over ${ms} ms after ${signal}`);
  const limitMs = await onThisMachine(withinMs);
  t.ok(ms < limitMs);
  t.comment(`read models and webhooks continued ${readMs} ms after ${signal}`);
  t.ok(readMs < limitMs);
  const holders = await holdersOf(databaseUrl);
  t.equal(holders?.length, 1);
  t.not(holders?.[0], holder, 'the other service holds all accounts');
  await afterwards(holders);
  const answers = await posting.stop();
  const created = answers.filter(({ status }) => status === 201);
  // A transaction signed but not submitted before its process froze may expire before the takeover.
  for (const answer of answers.filter((answer) => !created.includes(answer))) {
    t.match(answer, { status: 502, body: { code: 'XRPL_ERROR' } }, 'the proof was rolled back');
  }
  t.ok(created.length > 0);
  return created.length;
}

/**
 * Ids of PostgreSQL's processes whose sessions hold all account locks; null if there are none. Other
 * sessions hold fewer locks.
 */
async function holdersOf(databaseUrl: string): Promise<readonly number[] | null> {
  const rows = await query(
    databaseUrl,
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY pid HAVING count(*) >= ${accountCount}`,
  );
  return rows.length === 0 ? null : rows.map(({ pid }) => Number(pid));
}

/** True once all read models and the webhook enqueuer have folded an event recorded after `at`. */
async function areReadSince(databaseUrl: string, at: number): Promise<boolean> {
  const [row] = await query(
    databaseUrl,
    `SELECT min(c.position) >= (SELECT min(position) FROM events
       WHERE recorded_at > '${new Date(at).toISOString()}') AS done
     FROM checkpoints c WHERE c.status = 'live' AND c.name NOT LIKE 'anchoring-%'`,
  );
  return row?.done === true;
}

/** Time of each account's first `SequencesTaken` after `at`; null while an account has none. */
async function usesSince(databaseUrl: string, at: number): Promise<readonly number[] | null> {
  const rows = await query(
    databaseUrl,
    `SELECT min(recorded_at) AS first FROM events WHERE type = 'SequencesTaken'
     AND recorded_at > '${new Date(at).toISOString()}' GROUP BY stream`,
  );
  if (rows.length < accountCount) return null;
  return rows.map(({ first }) => Date.parse(String(first)));
}

/** Four callers, each posting one hash after the other. */
function keepPosting(caller: Caller, round: string) {
  let posting = true;
  const post = async (_: unknown, index: number) => {
    const answers = [];
    for (let turn = 0; posting; turn += 1) {
      answers.push(await postProof(caller, hashOf(`${round} ${index} ${turn}`), plain));
    }
    return answers;
  };
  const done = Promise.all(Array.from({ length: 4 }, post));
  return {
    async stop() {
      posting = false;
      return (await done).flat();
    },
  };
}
