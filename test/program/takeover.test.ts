import { type Test, test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { query } from '../embedded/run-service.ts';
import { type Caller, hashOf, postProof } from '../support/api-client.ts';
import { plain } from '../support/interrupted-posts.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ready, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

const withinMs = 10_000;
const accountCount = 3;

test('another service takes over accounts and read models of a killed one within 10 s', (t) =>
  takeOver(t, 'SIGKILL'));

test('another service takes over from a frozen one, which takes nothing back when it wakes up', (t) =>
  takeOver(t, 'SIGSTOP'));

async function takeOver(t: Test, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const hosted = await startHosted(t, { closeMs: 250, accounts: accountCount });
  const { env, databaseUrl, ledger, accounts } = hosted;
  const organisation = await openOrganisation(env);
  const first = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
  const [holder] = await until('one service holds all accounts', () => holdersOf(databaseUrl));
  const second = await startProgram(t, env);
  const caller = { address: second.address, ...organisation };
  const posting = keepPosting(caller);
  const began = Date.now();
  await until('each account is in use', () => usesSince(databaseUrl, began));

  const at = Date.now();
  first.kill(signal);
  const [uses, readMs] = await Promise.all([
    until('another service uses each account', () => usesSince(databaseUrl, at)),
    until('read models and webhooks continue', () => areReadSince(databaseUrl, at)).then(
      () => Date.now() - at,
    ),
  ]);
  const ms = Math.max(...uses) - at;
  t.comment(`${accountCount} accounts were taken over ${ms} ms after ${signal}`);
  t.ok(ms < withinMs);
  t.comment(`read models and webhooks continued ${readMs} ms after ${signal}`);
  t.ok(readMs < withinMs);
  const holders = await holdersOf(databaseUrl);
  t.equal(holders?.length, 1);
  t.not(holders?.[0], holder, 'the other service holds all accounts');

  if (signal === 'SIGSTOP') {
    first.kill('SIGCONT');
    await ready(first.address);
    const woken = { ...caller, address: first.address };
    t.match(await postProof(woken, hashOf('woken'), plain), { status: 201 });
    t.strictSame(await holdersOf(databaseUrl), holders, 'the woken service takes nothing back');
  }
  const answers = await posting.stop();
  const created = answers.filter(({ status }) => status === 201);
  // A transaction signed but not submitted before its process froze may expire before the takeover.
  for (const answer of answers.filter((answer) => !created.includes(answer))) {
    t.match(answer, { status: 502, body: { code: 'XRPL_ERROR' } }, 'the proof was rolled back');
  }
  t.ok(created.length > 0);
  const proofs = await readLedgerProofs(ledger.url, accounts);
  t.equal(
    new Set(proofs.map(({ fileHash }) => fileHash)).size,
    proofs.length,
    'no hash is anchored twice',
  );
  t.equal(
    proofs.length,
    created.length + (signal === 'SIGSTOP' ? 1 : 0),
    'the ledger holds the acknowledged proofs and no other',
  );
  // Until the fate of a frozen process's transaction is known, its account signs nothing.
  const paused = /^(\{[^\n]*"obstacle":"undecidedTransaction"[^\n]*\}\n)*$/;
  t.match(await stop(second), { code: 0, stderr: paused });
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
function keepPosting(caller: Caller) {
  let posting = true;
  const post = async (_: unknown, index: number) => {
    const answers = [];
    for (let turn = 0; posting; turn += 1) {
      answers.push(await postProof(caller, hashOf(`${index} ${turn}`), plain));
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
