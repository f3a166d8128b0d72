import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { test } from 'tap';
import { vacuumErased } from '../../../ops/erasing/vacuum-erased.ts';
import { createTestStore } from '../../support/event-store.ts';

const values = `SELECT string_agg(concat_ws(' ', most_common_vals, histogram_bounds), ' ') AS values
  FROM pg_stats WHERE schemaname = 'public'`;
const shape = `SELECT
  (SELECT string_agg(concat_ws(' ', attrelid::regclass, attname, atttypid, attcollation), ',' ORDER BY attrelid, attnum)
     FROM pg_attribute WHERE attrelid = 'workspaces_v1'::regclass AND attnum > 0) AS columns,
  (SELECT string_agg(indexdef, ',' ORDER BY indexdef) FROM pg_indexes WHERE tablename = 'workspaces_v1') AS indexes`;

test('no value of an erased row stays in the statistics of the planner', async (t) => {
  const { pool, db } = await createTestStore(t, { kind: 'projected' });
  const { rows: before } = await pool.query(shape);
  const fill = (organisation: string, name: string) =>
    pool.query(
      `INSERT INTO workspaces_v1 (workspace_id, organisation_id, name, position)
       SELECT 'W' || $1 || n, $1, $2, n FROM generate_series(1, 50) AS n`,
      [organisation, name],
    );
  const found = async () => (await pool.query<{ values: string }>(values)).rows[0]?.values ?? '';
  await fill('01GONE', 'erased-name');
  await fill('01KEPT', 'kept-name');
  await pool.query('ANALYZE');
  t.match(await found(), /erased-name/, 'it was there before');
  await pool.query("DELETE FROM workspaces_v1 WHERE name = 'erased-name'");
  t.strictSame(await vacuumErased(pool, db), []);
  t.notMatch(await found(), /erased-name/);
  t.match(await found(), /kept-name/);
  await pool.query('DELETE FROM workspaces_v1');
  t.strictSame(await vacuumErased(pool, db), []);
  t.notMatch(await found(), /kept-name|01KEPT/, 'nor of a table that is empty now');
  const { rows: after } = await pool.query(shape);
  t.strictSame(after, before, 'columns and indexes are as they were');
});

test('tables that a role may not vacuum are named', async (t) => {
  const { pool, db, url } = await createTestStore(t, { kind: 'projected' });
  const role = `stranger_${randomBytes(4).toString('hex')}`;
  await pool.query(`CREATE ROLE ${role}`);
  await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const strange = new pg.Pool({ connectionString: url, options: `-c role=${role}`, max: 1 });
  t.teardown(async () => {
    await strange.end();
    await pool.query(`DROP OWNED BY ${role}`);
    await pool.query(`DROP ROLE ${role}`);
  });
  const skipped = await vacuumErased(strange, db);
  for (const table of ['data_keys', 'console_sessions', 'workspaces_v1']) {
    t.ok(skipped.includes(table), table);
  }
  const { rows } = await pool.query("SELECT current_setting('server_version_num')::int AS number");
  if (rows[0].number < 170_000) return t.comment('before PostgreSQL 17 only the owner can');
  await pool.query(`GRANT MAINTAIN ON data_keys TO ${role}`);
  t.notOk((await vacuumErased(strange, db)).includes('data_keys'));
});
