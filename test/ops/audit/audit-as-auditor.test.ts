import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { test } from 'tap';
import { openLog } from '../../../src/commands/open-log.ts';
import { readConnection } from '../../../src/embedded/postgres/connection-file.ts';
import { createLeaves } from '../../../src/event-store/leaves.ts';
import { migrateToLatest } from '../../../src/event-store/migrate.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../../src/transparency-log/published/open-log-storage.ts';
import { lastPublished } from '../../../src/transparency-log/published/published-checkpoints.ts';
import { startHere, temporaryDataDir } from '../../embedded/run-service.ts';
import { takeBaseBackup } from '../../support/base-backup.ts';
import { openTestStore } from '../../support/event-store.ts';
import { ops } from '../../support/operator.ts';
import { projectRoot } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const script = readFileSync(join(projectRoot, 'ops/deploy/auditor-role.sql'), 'utf8');
const seed = Buffer.alloc(32, 7);

test('a role with SELECT alone audits a primary and a standby, without a secret', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const primary = await startHere(t, dataDir);
  const { url } = primary;
  await migrateToLatest(url);
  const opened = openTestStore({ teardown: () => {} }, url);
  await openLog({ store: opened.store, newId: newUlid }, { actor: 'start' });
  const files = join(dataDir, 'files');
  const published = await openLogStorage(pathToFileURL(files).href);
  const { store, db, pool } = opened;
  const leaves = createLeaves(pool);
  await new Publisher({ store, leaves, history: db, published, seeds: [seed] }).publish();
  const { vkey } = noteSigner((await lastPublished(db))?.origin ?? '', seed);
  await published.close();
  await opened.close();
  const saved = { proofIds: [], gapFills: [], ledger: null, gone: [] };
  await query(
    url,
    `INSERT INTO checkpoints (name, version, position, build, status, state)
     VALUES ('anchoring-testnet', 1, 1, 1, 'live', '${JSON.stringify(saved)}')`,
  );
  await query(
    url,
    `SET proofmark.role = 'an_auditor'; ${script}; ${script}`,
    "ALTER ROLE an_auditor PASSWORD 'secret'",
  );
  const auditor = Object.assign(new URL(url), { username: 'an_auditor', password: 'secret' }).href;
  const env = { DATABASE_URL: auditor, STORAGE_URL: pathToFileURL(files).href };
  const audit = async () => {
    const { code, stdout, stderr } = await ops(t, env, 'audit', 'verify', '--key', vkey, '--json');
    t.equal(code, 3, stdout + stderr);
    const { count, unchecked, events } = JSON.parse(stdout);
    t.equal(count, 0, stdout);
    return { events, unchecked: unchecked.map(({ what }: { what: string }) => what) };
  };
  const first = await audit();
  t.equal(first.unchecked.length, 2);
  t.match(first.unchecked[0], /commitments .* MASTER_KEY is not set/);
  t.match(first.unchecked[1], /no read model was compared: .* may not create tables/);
  for (const statement of [
    'DELETE FROM events',
    'SELECT wrapped FROM data_keys',
    'CREATE TABLE mine (id text)',
  ]) {
    await t.rejects(query(auditor, statement), { code: '42501' }, statement);
  }

  const { cluster = '' } = (await readConnection(dataDir)) ?? {};
  const backup = await takeBaseBackup(url, resolve(dataDir, cluster));
  await primary.stop();
  const { catchUp } = await backup.restoreAsStandby();
  const standby = await startHere(t, dataDir);
  await catchUp();
  t.equal(standby.url, url);
  t.equal(await query(url, 'SELECT pg_is_in_recovery()'), true);
  await until('the standby has every event', async () => {
    return (await query(auditor, 'SELECT position FROM log_head')) === String(first.events);
  });
  const second = await audit();
  t.equal(second.events, first.events);
  t.match(second.unchecked[1], /read-only: audit the primary database/);

  await query(url, 'SELECT pg_promote()');
  await query(
    url,
    "SET session_replication_role = 'replica'; UPDATE events SET meta = '{}' WHERE position = 1",
  );
  const { code, stdout } = await ops(t, env, 'audit', 'verify', '--key', vkey);
  t.equal(code, 1, 'a fault is found without a secret');
  t.match(stdout, /position 1 \(data,meta\)/);
});

/** First column of the first row of the last statement. */
async function query(url: string, ...statements: readonly string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let value: unknown;
    for (const text of statements) {
      const { rows = [] } = await client.query({ text, rowMode: 'array' });
      value = rows[0]?.[0];
    }
    return value;
  } finally {
    await client.end();
  }
}
