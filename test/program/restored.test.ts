import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { test } from 'tap';
import { Client } from 'xrpl';
import { hashOf, postProof, prove } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('a database restored from a backup is refused until the log has a new epoch', async (t) => {
  const { env: hosted, databaseUrl, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const env: Record<string, string> = { ...hosted, CHECKPOINT_INTERVAL_MS: '50' };
  const files = join(hosted.DATA_DIR ?? '', 'files');
  const organisation = await openOrganisation(env);

  // Without a reactor the proof is requested but not signed, so the backup has it pending.
  const before = await startProgram(t, { ...env, ROLES: 'api' });
  const kept = await fetch(`${before.address}/api/v1/proofs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${organisation.key}`,
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    body: JSON.stringify({ hash: hashOf('kept'), workspace: organisation.workspace }),
  });
  t.equal(kept.status, 202);
  await stop(before);
  const admin = new pg.Client({ connectionString: inDatabase(databaseUrl, 'postgres') });
  await admin.connect();
  t.teardown(() => admin.end());
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = (from: string, to: string) =>
    admin.query(`CREATE DATABASE "${to}" TEMPLATE "${from}"`);
  await copy(name, `${name}_backup`);
  t.teardown(() => admin.query(`DROP DATABASE IF EXISTS "${name}_backup" WITH (FORCE)`));
  await cp(files, `${files}-backup`, { recursive: true });

  const lived = await startProgram(t, env);
  const caller = { ...organisation, address: lived.address };
  const lost = await prove(caller, hashOf('lost'));
  const proven = await until('the proof in the backup is anchored', async () => {
    const again = await postProof(caller, hashOf('kept'));
    return again.status === 200 && again.body.data;
  });
  const anchored = await opsJson(t, env, 'log', 'checkpoint');
  const { size, rootHash, transactionHash, origin = '' } = anchored;
  const verify = (tx = '') =>
    fetch(`${lived.address}/api/public/verify/${tx}`).then((answer) => answer.json());
  t.match(await verify(transactionHash), {
    data: { verified: false, memo: { origin, size, rootHash } },
  });
  const again = await opsJson(t, env, 'log', 'checkpoint');
  t.match(again, { isNew: false, transactionHash }, "a checkpoint's own events need no new one");
  t.match(await stop(lived), { code: 0 });

  await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  await copy(`${name}_backup`, name);
  t.match(await runProgram(t, env).ended, {
    code: 1,
    stdout: '',
    stderr:
      /was published up to event \d+ .* the database ends at event \d+\. .*`ops log restored`/,
  });
  const older: Record<string, string> = {
    ...env,
    STORAGE_URL: pathToFileURL(`${files}-backup`).href,
  };
  const refused = await runProgram(t, older).ended;
  t.match(refused, { code: 1, stdout: '' });
  t.match(
    refused.stderr,
    new RegExp(
      `was anchored on testnet up to event ${size} \\(root ${rootHash}, transaction ${transactionHash} .* database ends at event`,
    ),
  );

  // No anchored checkpoint shows the loss here; the history of the proofs' account does.
  const { XRPL_TESTNET_CHECKPOINT_ACCOUNT: _, ...unanchored } = older;
  t.match(await runProgram(t, unanchored).ended, {
    code: 1,
    stdout: '',
    stderr: new RegExp(
      `^${accounts[0]} has sent 1 transactions on testnet .* that this database does not know, the ` +
        `first being ${proven.txHash} .*ops log restored`,
    ),
  });
  // No published checkpoint shows the loss here; the mark of what was submitted does.
  await cp(join(files, 'log', 'submitted'), join(`${files}-backup`, 'log', 'submitted'), {
    recursive: true,
  });
  t.match(await runProgram(t, older).ended, {
    code: 1,
    stdout: '',
    stderr:
      /had reached event \d+ when .* submitted, but the database ends at event .* log restored/,
  });

  t.match(await ops(t, env, 'log', 'restored'), { code: 1, stdout: '', stderr: /with --yes/ });
  const restored = (await opsJson(t, env, 'log', 'restored', '--yes')) as unknown as {
    lost: readonly { transactionHash: string; anchored: string }[];
    keptSize: number;
    published: { size: number };
    anchored: { size: number };
    reached: number | null;
  };
  t.match(restored, {
    restored: true,
    epoch: 2,
    published: { origin },
    anchored: { origin, size, rootHash, transactionHash },
    recovered: 1,
  });
  const lostHashes = restored.lost.map((one) => [one.transactionHash, one.anchored]);
  t.strictSame(
    lostHashes.sort(),
    [
      [lost.txHash, 'proof'],
      [transactionHash, 'checkpoint'],
    ].sort(),
  );
  t.match(await opsJson(t, env, 'log', 'restored', '--yes'), { restored: false });
  const audited = ['audit', 'verify', '--ledger', ledger.url] as const;
  const still = await ops(t, env, ...audited);
  t.match(
    still,
    { code: 0, stdout: /no fault in/ },
    'no fault even before the new epoch is published',
  );

  const mended = await startProgram(t, env);
  const now = { ...organisation, address: mended.address };
  const known = await postProof(now, hashOf('kept'));
  t.match(known, { status: 200, body: { alreadyProven: true, data: { txHash: proven.txHash } } });
  t.equal((await postProof(now, hashOf('lost'))).status, 201, 'a lost hash can be posted again');
  t.equal(await commitments(ledger.url, accounts[0] ?? '', proven.proofCommitment ?? ''), 1);
  const next = await opsJson(t, env, 'log', 'checkpoint');
  t.equal(next.origin, `${origin}/2`);
  await until('the new epoch is published', async () => {
    const note = await (await fetch(`${mended.address}/log/checkpoint`)).text();
    return note.startsWith(`${origin}/2\n`);
  });
  const clean = await ops(t, env, ...audited);
  t.match(clean, { code: 0, stdout: /no fault in/ }, clean.stdout + clean.stderr);
  const { keptSize, reached } = restored;
  const lostSize = Math.max(restored.published.size, restored.anchored.size, reached ?? 0);
  const told = `the restore at position \\d+ began epoch 2 with the first ${keptSize} events`;
  const least = `At least ${lostSize - keptSize} later events are lost`;
  t.match(clean.stdout, new RegExp(`^restored: ${told}\\. ${least}$`, 'm'));
  t.match(await stop(mended), { code: 0 });
});

function inDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Number of the account's transactions that anchored the commitment. */
async function commitments(url: string, account: string, commitment: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    const { result } = await client.request({ command: 'account_tx', account, limit: 200 });
    const hex = Buffer.from(commitment).toString('hex').toUpperCase();
    return result.transactions.filter((one) => JSON.stringify(one.tx_json).includes(hex)).length;
  } finally {
    await client.disconnect();
  }
}
