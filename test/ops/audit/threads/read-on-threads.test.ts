import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import tap, { test } from 'tap';
import { copyOut } from '../../../../ops/audit/threads/copy-out.ts';
import { openDatabase } from '../../../../src/event-store/database.ts';
import { openLogStorage } from '../../../../src/transparency-log/published/open-log-storage.ts';
import { auditTwice } from '../../../support/audit-twice.ts';
import {
  type AuditedSite,
  type Change,
  checkpointSizes,
  createAuditedSite,
  logSize,
  withoutConstraints,
} from '../../../support/audited-site.ts';
import { rewriteRow } from '../../../support/forge-log.ts';
import { mutateRows } from '../../../support/log-mutations.ts';
import { runCount } from '../../../support/run-count.ts';
import { seededRandom } from '../../../support/seed.ts';

const site = await createAuditedSite(tap);

/** Audits the log with and without threads. */
async function audit({ url, dataDir }: Pick<AuditedSite, 'url' | 'dataDir'>) {
  const published = await openLogStorage(pathToFileURL(`${dataDir}/files`).href);
  return auditTwice(url, published).finally(() => published.close());
}

test('threads find no fault in a sound log, and read all of its rows', async (t) => {
  const { slowly, fast, read } = await audit(site);
  t.strictSame(fast, slowly);
  t.strictSame(fast.found, []);
  t.equal(fast.events, logSize);
  t.strictSame(read, { pages: Math.ceil(logSize / 2_048), rows: 0 });
});

const far = logSize + 1_000_000_000_000;
const changes: Readonly<Record<string, Change>> = {
  'a missing stretch': 'DELETE FROM events WHERE position BETWEEN 20 AND 300',
  'a missing first event': 'DELETE FROM events WHERE position = 1',
  'a far event': `UPDATE events SET position = ${far} WHERE position = ${logSize};
    UPDATE log_head SET position = ${far}`,
  'a long value': `UPDATE events SET data = '"' || repeat('x', 100000) || '"' WHERE position = 40`,
  'a missing value': `${withoutConstraints}; UPDATE events SET meta = NULL WHERE position = 50`,
  'a short leaf': `${withoutConstraints}; ALTER TABLE events DROP CONSTRAINT IF EXISTS events_leaf_check;
    UPDATE events SET leaf = 'x' WHERE position = 50`,
  'an id twice': `UPDATE events SET event_id = (SELECT event_id FROM events WHERE position = 60)
    WHERE position = 70`,
  'a position twice': `${withoutConstraints}; UPDATE events SET position = 80 WHERE position = 81`,
  'a second row that threads cannot read': `${withoutConstraints};
    INSERT INTO events SELECT * FROM events WHERE position = 80;
    UPDATE events SET meta = NULL WHERE ctid = (SELECT max(ctid) FROM events WHERE position = 80)`,
  'another type of column': 'ALTER TABLE events ALTER schema TYPE text USING schema::text',
  'a time that was altered with its leaf': (client) =>
    rewriteRow(client, 295, () => ({ recorded_at: '2020-02-02T02:02:02.002Z' })),
};

for (const [name, change] of Object.entries(changes)) {
  test(`threads find ${name}`, async (t) => {
    const changed = await site.copy(t);
    await changed.tamper(change);
    const { slowly, fast } = await audit(changed);
    t.strictSame(fast, slowly);
    t.not(fast.found.length, 0);
  });
}

test('rows are copied whole, and a failure leaves the connection usable', async (t) => {
  const { pool, close } = openDatabase(site.url, { maxConnections: 1 });
  t.teardown(close);
  const copy = (select: string) => copyOut(pool, `COPY (${select}) TO STDOUT (FORMAT binary)`);
  t.strictSame((await copy('SELECT 1 WHERE false')).starts, []);
  await t.rejects(copy('SELECT 1 / n FROM generate_series(-2, 2) AS n'), { code: '22012' });
  const { bytes, starts } = await copy(
    "SELECT n, repeat('x', 100000) FROM generate_series(1, 50) AS n",
  );
  t.strictSame(
    starts.map((start) => bytes.readInt32BE(start + 6)),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  const { rows } = await pool.query('SELECT 1 AS one');
  t.strictSame(rows, [{ one: 1 }]);
  t.equal(pool.totalCount, 1);
});

test('threads find the same random damage', async (t) => {
  const draw = seededRandom(t);
  const random = { below: (count: number) => Math.floor(draw() * count) };
  const size = checkpointSizes.at(-1) ?? 0;
  for (let n = 0; n < runCount(2, 8); n += 1) {
    const changed = await site.copy(t);
    const names: string[] = [];
    const mutate = async (client: pg.ClientBase) => {
      names.push(await mutateRows(client, random, { size, beyond: logSize - size }));
    };
    await changed.tamper(withoutConstraints, mutate);
    const { slowly, fast } = await audit(changed);
    t.strictSame(fast, slowly, names.join('; '));
  }
});
