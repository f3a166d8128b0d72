import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { type Fault, faultInWords } from '../../ops/audit/findings/fault.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { hashOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchCertificate } from '../support/certificate-client.ts';
import { someText } from '../support/forms.ts';
import { plain } from '../support/interrupted-posts.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { uploadDocument } from '../support/upload-client.ts';

test('the history is exported, resumed and verified against log and ledger; verification names changed events', async (t) => {
  const { env: hosted, databaseUrl, ledger } = await startHosted(t, { closeMs: 250 });
  const folder = await newFolder(t);
  const env = { ...hosted, DATA_DIR: folder };
  const { organisationId, ...own } = await openOrganisation(env);
  const program = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
  const caller = { ...own, address: program.address };
  const salted = await prove(caller, hashOf('salted'));
  await prove(caller, hashOf('plain'), plain);
  const out = join(folder, 'history.ndjson');
  const exported = await opsJson(t, env, 'audit', 'export', '--out', out);
  t.match(exported, { after: 0 });
  await opsJson(t, env, 'log', 'checkpoint');
  // An unfinished line, as a kill leaves it.
  await appendFile(out, '{"position":');
  t.equal((await uploadDocument(caller, { name: 'a.txt', bytes: someText() })).status, 201);
  t.equal((await fetchCertificate(caller, salted.proofId)).status, 200);
  const more = await opsJson(t, env, 'audit', 'export', '--out', out);
  t.equal(more.after, exported.head);
  const anew = join(folder, 'anew.ndjson');
  await opsJson(t, env, 'audit', 'export', '--out', anew);
  t.equal(
    await readFile(out, 'utf8'),
    await readFile(anew, 'utf8'),
    'equal to an export in one run',
  );
  t.equal((await stat(out)).mode & 0o777, 0o600);
  t.notMatch(await readFile(out, 'utf8'), hashOf('plain'), 'confidential fields stay encrypted');
  const opened = join(folder, 'opened.ndjson');
  await opsJson(
    t,
    env,
    'audit',
    'export',
    '--out',
    opened,
    '--organisation',
    organisationId,
    '--unseal',
  );
  t.match(await readFile(opened, 'utf8'), hashOf('plain'));

  const { pool, close } = openDatabase(databaseUrl, { maxConnections: 1 });
  t.teardown(close);
  await until('a checkpoint covers all events', async () => {
    const { rows } = await pool.query(
      'SELECT FROM published_checkpoints, log_head WHERE size = position LIMIT 1',
    );
    return rows.length > 0;
  });
  const verify = ['audit', 'verify', '--ledger', ledger.url, '--files', '--json'];
  const clean = await ops(t, env, ...verify);
  t.match(clean, { code: 0 }, clean.stdout + clean.stderr);
  const heldAgainst = { onLedger: 1, inFiles: 0 };
  t.match(JSON.parse(clean.stdout), { count: 0, faults: [], lost: [], events: more.head });
  t.strictSame(
    JSON.parse(clean.stdout).outside,
    heldAgainst,
    'the account is in the configuration',
  );
  t.match(JSON.parse(clean.stdout), {
    ...{ root: /^[0-9a-f]{64}$/, origin: /^proofmark\//, publishedSize: more.head },
    ...{ keys: [/^proofmark\//], restores: [], files: { read: 2, certificates: 1, erased: 0 } },
    compared: { proofs: 3, proofsOnLedger: 3, anchoredCheckpoints: 1, commitments: 2 },
    ...{ startedAt: /^20.*Z$/, seconds: Number },
  });
  const { vkeys } = await opsJson(t, env, 'log', 'key');
  const trust = ['--key', String(vkeys), '--log', program.address, '--ledger', ledger.url];
  const stranger = await ops(t, {}, 'audit', 'verify', '--from', out, ...trust);
  t.match(stranger, { code: 0, stdout: /no fault in \d+ events/ }, stranger.stderr);
  t.notMatch(stranger.stdout, /a ledger|a published checkpoint|known keys/);
  t.match(stranger.stdout, /^compared with 1 checkpoint on the ledger$/m);
  // A log cut between two lines is consistent in itself.
  const cut = join(folder, 'cut.ndjson');
  await writeFile(
    cut,
    (await readFile(out, 'utf8')).split('\n').slice(0, 9).join('\n').concat('\n'),
  );
  const alone = await ops(t, {}, 'audit', 'verify', '--from', cut);
  t.equal(alone.code, 0);
  t.match(
    alone.stdout,
    /^no fault in 9 events\nnot compared with a published checkpoint \(no --log\): .* a different one\nnot compared with a ledger/m,
  );

  const anchored = await pool.query<{ account: string; size: number }>(
    `SELECT prepared.data::json ->> 'account' AS account, (anchored.data::json ->> 'size')::int AS size
     FROM events AS prepared, events AS anchored
     WHERE prepared.type = 'CheckpointPrepared' AND anchored.type = 'CheckpointAnchored'`,
  );
  const [{ account, size } = { account: '', size: 0 }] = anchored.rows;
  const onLedger = ['--ledger', ledger.url, '--account', account];
  const followed = ['audit', 'follow', '--log', program.address, '--key', String(vkeys)];
  const follow = () =>
    ops(t, {}, ...followed, '--folder', join(folder, 'kept'), ...onLedger, '--once');
  t.match(await follow(), { code: 0, stderr: /the newest checkpoint of .* covers \d+ events$/m });
  const kept = join(folder, 'kept', 'checkpoints');
  const [name = ''] = await readdir(kept);
  const held = await ops(
    t,
    env,
    ...verify,
    '--log',
    program.address,
    '--checkpoint',
    join(kept, name),
  );
  t.match(held, { code: 0 }, held.stdout + held.stderr);
  t.strictSame(JSON.parse(held.stdout).outside, { onLedger: 1, inFiles: 1 });
  const lines = (await readFile(out, 'utf8')).split('\n');
  await writeFile(cut, `${lines.slice(0, size - 1).join('\n')}\n`);
  const denied = await ops(t, {}, 'audit', 'verify', '--from', cut, ...onLedger);
  const ends = `^not checked: events position ${size}: the export ends at event ${size - 1}, but checkpoints cover event ${size} too`;
  t.match(denied, { code: 3, stdout: new RegExp(ends, 'm') }, 'nobody can deny it');
  // The service has published more since the export.
  const later = await ops(t, {}, 'audit', 'verify', '--from', cut, ...trust);
  const upTo = `^not checked: events position ${size}: the export ends at event ${size - 1}, .* events ${size} to`;
  t.match(later, { code: 3, stdout: new RegExp(upTo, 'm') }, later.stdout);

  // Nothing listens on this port.
  const unreached = await ops(t, {}, 'audit', 'verify', '--from', out, '--ledger', 'ws://[::1]:1');
  t.match(unreached, {
    code: 3,
    stdout: /^not checked: ledger: no anchor on testnet could be checked/m,
  });

  const { rows } = await pool.query(
    "SELECT position, data FROM events WHERE type = 'Anchored' ORDER BY position LIMIT 1",
  );
  const { position, data } = rows[0];
  const index = JSON.parse(data).transactionIndex;
  const other = data.replace(`"transactionIndex":${index}`, `"transactionIndex":${index + 1}`);
  const issued = await pool.query<{ key: string }>(
    "SELECT data::json ->> 'blobKey' AS key FROM events WHERE type = 'CertificateIssued'",
  );
  await rm(join(folder, 'files', `${issued.rows[0]?.key}.enc`));
  await pool.query("SET session_replication_role = 'replica'");
  await pool.query('UPDATE events SET data = $2 WHERE position = $1', [position, other]);
  await pool.query("UPDATE organisations_v1 SET plan = 'free'");
  const forged = await pool.query(
    `UPDATE events SET data = regexp_replace(data, '"rootHash":"[0-9a-f]+"', $1)
     WHERE type = 'CheckpointRequested' RETURNING position`,
    [`"rootHash":"${'0'.repeat(64)}"`],
  );
  t.equal(forged.rows.length, 1);
  const [{ position: requested }] = forged.rows;
  const found = await ops(t, env, ...verify);
  t.equal(found.code, 1);
  const { faults } = JSON.parse(found.stdout) as { readonly faults: readonly Fault[] };
  const following = faults.flatMap(({ consequences }) => consequences?.first ?? []);
  const findings = [...faults.map(faultInWords), ...following].join('\n');
  t.match(findings, /^files position \d+ \(data\): .* The service makes it again/m);
  t.match(
    findings,
    new RegExp(`^events position ${position} .*the stored leaf does not match`, 'm'),
  );
  t.match(findings, new RegExp(`^ledger position ${position} .data.: metadata: `, 'm'));
  const otherRoot = `^ledger position ${requested} .data.: the root of the first \\d+ events differs`;
  t.match(findings, new RegExp(otherRoot, 'm'));
  t.match(
    findings,
    /^ledger position \d+ .data.: the anchored checkpoint differs from the checkpoint that was requested/m,
  );
  t.match(
    findings,
    /^ledger position \d+ .data.: transaction: the transaction does not contain exactly the stated memo/m,
  );
  t.match(findings, /^projections \(plan\): table organisations, organisation_id /m);
});
