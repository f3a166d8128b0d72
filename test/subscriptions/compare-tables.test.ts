import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { compareTables, type RowDifference } from '../../src/subscriptions/compare-tables.ts';
import { createTestStore } from '../support/event-store.ts';
import { type Random, seededRandom } from '../support/seed.ts';

const columns = ['organisation_id', 'place', 'name', 'hash', 'marks', 'done'] as const;
const rowCount = 400;
const tables = { table: 'rows', first: 'live', second: 'next' };

async function start(t: Test) {
  const { db, pool } = await createTestStore(t);
  for (const table of ['live', 'next']) {
    await pool.query(
      `CREATE TABLE ${table} (
         done boolean, hash bytea, place bigint, organisation_id text COLLATE "C", name text,
         marks integer[], PRIMARY KEY (organisation_id, place) INCLUDE (done))`,
    );
    await pool.query(
      `INSERT INTO ${table} (organisation_id, place, name, hash, marks, done)
       SELECT 'o' || n % 7, n, nullif('name ' || n % 50, 'name 3'), sha256(n::text::bytea),
              ARRAY[n, n % 3], n % 2 = 0
       FROM generate_series(1, ${rowCount}) AS n`,
    );
  }
  const compare = (options: { mostRows?: number; showValues?: boolean } = {}) =>
    db.transaction().execute((trx) => compareTables(trx, tables, { mostRows: 1_000, ...options }));
  return { db, pool, compare };
}

/** Changes one row of the second table, and returns the expected difference. */
function mutation(random: Random): {
  readonly text: string;
  readonly found: Partial<RowDifference>;
} {
  const place = 1 + Math.floor(random() * rowCount);
  const key = { organisation_id: `o${place % 7}`, place: String(place) };
  const where = `WHERE place = ${place}`;
  const change = (column: (typeof columns)[number], value: string) => {
    const text = `UPDATE next SET ${column} = ${value} ${where}`;
    return { text, found: { key, found: 'different', columns: [column] } } as const;
  };
  const kinds = [
    () => change('name', `coalesce(name, '') || ' '`),
    () => change('name', `CASE WHEN name IS NULL THEN '' END`),
    () => change('hash', `set_byte(hash, 31, 255 - get_byte(hash, 31))`),
    () => change('marks', 'marks || 0'),
    () => change('done', 'nullif(NOT done, done IS NULL)'),
    () => ({
      text: `DELETE FROM next ${where}`,
      found: { key, found: 'only in the first', columns: [] } as const,
    }),
    () => ({
      text: `INSERT INTO next VALUES (true, NULL, ${place}, 'p', NULL, NULL)`,
      found: { key: { ...key, organisation_id: 'p' }, found: 'only in the second' } as const,
    }),
  ];
  return (kinds[Math.floor(random() * kinds.length)] ?? kinds[0])?.() ?? change('done', 'NULL');
}

test('equal tables do not differ, and any change is found by key and column', async (t) => {
  const random = seededRandom(t);
  const { db, compare } = await start(t);
  const same = { table: 'rows', columns: { first: [], second: [] }, count: 0, rows: [] };
  t.strictSame(await compare(), same);
  for (let n = 0; n < 60; n += 1) {
    const { text, found } = mutation(random);
    const trx = await db.startTransaction().execute();
    await sql.raw(text).execute(trx);
    t.match(await compareTables(trx, tables, { mostRows: 10 }), { count: 1, rows: [found] }, text);
    await trx.rollback().execute();
  }
  t.strictSame(await compare(), same);
});

test('shows the first differences and counts all, with values only on demand', async (t) => {
  const { pool, compare } = await start(t);
  await pool.query(`UPDATE next SET name = 'secret' WHERE place <= 30`);
  const differences = await compare({ mostRows: 3 });
  t.equal(differences.count, 30);
  t.strictSame(
    differences.rows.map(({ key }) => `${key.organisation_id} ${key.place}`),
    ['o0 7', 'o0 14', 'o0 21'],
    'in the order of the key',
  );
  t.notMatch(JSON.stringify(differences), 'secret');
  const [row] = (await compare({ mostRows: 1, showValues: true })).rows;
  t.strictSame(row?.values, { first: { name: 'name 7' }, second: { name: 'secret' } });
});

test('reports a column of only one table, and compares the others', async (t) => {
  const { pool, compare } = await start(t);
  await pool.query('ALTER TABLE next ADD added text; ALTER TABLE live ADD gone text');
  await pool.query('DELETE FROM live WHERE place = 5');
  t.match(await compare(), {
    columns: { first: ['gone'], second: ['added'] },
    count: 1,
    rows: [{ key: { organisation_id: 'o5', place: '5' }, found: 'only in the second' }],
  });
});

test('refuses tables without a common primary key', async (t) => {
  const { pool, compare } = await start(t);
  await pool.query('ALTER TABLE next DROP CONSTRAINT next_pkey');
  await t.rejects(compare(), /no primary key in common/);
  await pool.query('DROP TABLE next');
  await t.rejects(compare(), /there is no table next/);
});

test('uses a merge join, whatever the planner prefers', async (t) => {
  const { db } = await start(t);
  const { rows } = await db.transaction().execute(async (trx) => {
    await compareTables(trx, tables, { mostRows: 1 });
    return sql<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT FROM live AS a FULL JOIN next AS b
      ON a.organisation_id = b.organisation_id AND a.place = b.place`.execute(trx);
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  t.match(plan, /Merge Full Join/);
  t.notMatch(plan, /Hash/);
});
