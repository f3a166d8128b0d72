import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { test } from 'tap';
import { openCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { findCosignatures } from '../../src/verifier/log/find-cosignatures.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { parsePolicy } from '../../src/verifier/log/policy.ts';
import { newFolder } from '../support/blobs.ts';
import { createTestDatabase } from '../support/database.ts';
import { startHosted } from '../support/ledger-process.ts';
import { ops, opsJson } from '../support/operator.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';
import { policyText, reachable, startWitness } from '../support/witness-servers.ts';

test('a service publishes its log, and refuses to run on a database with another log', async (t) => {
  const { env: hosted, databaseUrl } = await startHosted(t, { closeMs: 1_000 });
  const DATA_DIR = await newFolder(t);
  const logs: ReadKey[] = [];
  const witnesses = [await startWitness(t, 0, logs), reachable(1, 'http://127.0.0.1:1/')];
  const WITNESS_POLICY = join(DATA_DIR, 'policy');
  await writeFile(WITNESS_POLICY, policyText(witnesses, 1));
  const names = { LOG_ORIGIN: 'example.com/log', WITNESS_POLICY };
  const env = { ...hosted, ...names, DATA_DIR, CHECKPOINT_INTERVAL_MS: '50' };
  const program = await startProgram(t, { ...env, LOG_LEVEL: 'info' });
  const [, shown = ''] = await program.said(/"vkey":"([^"]+)"/, 'stderr');
  const create = ['organisation', 'create', '--name', 'Acme', '--plan', 'free'];
  await opsJson(t, env, ...create);
  const { vkeys, published } = (await opsJson(t, env, 'log', 'key')) as unknown as {
    vkeys: string[];
    published: { size: number };
  };
  t.strictSame(vkeys, [shown]);
  t.ok(published.size >= 1);
  const key = readLogKey(shown);
  if (key === null) throw new Error('no key');
  t.match(key.name, /^example\.com\/log\/[0-9A-Z]{26}$/);
  logs.push(key);
  const policy = parsePolicy(policyText(witnesses, 1));
  const head = await headOf(databaseUrl);
  await until('the newest event is published and cosigned', async () => {
    const note = await (await fetch(`${program.address}/log/checkpoint`)).text();
    const opened = openCheckpoint(note, [key]);
    const { hasQuorum = false } = findCosignatures(note, policy) ?? {};
    return opened.status === 'verified' && opened.checkpoint.size >= head && hasQuorum;
  });
  t.match(await stop(program), { code: 0 });

  const { url: DATABASE_URL } = await createTestDatabase(t);
  const other = { ...env, DATABASE_URL };
  const refused =
    /published up to event \d+ .* the database is empty: check DATABASE_URL .*Nothing is appended\n$/;
  const [started, operated] = await Promise.all([
    runProgram(t, other).ended,
    ops(t, other, ...create),
  ]);
  t.match(started, { code: 1, stdout: '', stderr: refused });
  t.match(operated, { code: 1, stdout: '', stderr: refused });
  t.equal(await headOf(DATABASE_URL), 0, 'no event is appended');

  // As if the volume of the storage were not mounted.
  const empty = { ...env, STORAGE_URL: pathToFileURL(join(DATA_DIR, 'elsewhere')).href };
  t.match(await ops(t, empty, ...create), { code: 1, stderr: /elsewhere has no \.staging: / });
  await mkdir(join(DATA_DIR, 'elsewhere', '.staging'), { recursive: true });
  t.match(await ops(t, empty, ...create), {
    code: 1,
    stderr: /holds no checkpoint, but example/,
  });
  // The same folder with all files of the storage restored.
  await cp(join(DATA_DIR, 'files'), join(DATA_DIR, 'elsewhere'), { recursive: true });
  await opsJson(t, empty, ...create);

  await writeFile(WITNESS_POLICY, 'quorum nobody\n');
  const mistaken = await runProgram(t, empty).ended;
  t.match(mistaken, { code: 1, stderr: /^WITNESS_POLICY \S+: line 1: nobody is not defined/m });

  const away = { ...env, STORAGE_URL: 's3://bucket?endpoint=http://127.0.0.1:1' };
  const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  const { code, stderr } = await runProgram(t, { ...away, ...keys }).ended;
  t.equal(code, 1);
  t.match(stderr, /^the log cannot be compared with the published log .*STORAGE_URL is right/m);
});

async function headOf(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT position FROM log_head');
    return Number(rows[0].position);
  } finally {
    await client.end();
  }
}
