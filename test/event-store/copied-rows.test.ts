import { sql } from 'kysely';
import { test } from 'tap';
import { type ColumnTypes, insertRows } from '../../projections/documents/row-set.ts';
import { createTestStore } from '../support/event-store.ts';
import { seededRandom } from '../support/seed.ts';

interface Row {
  readonly id: number;
  readonly name: string | null;
  readonly bytes: Buffer | null;
  readonly flag: boolean | null;
  readonly small: number | null;
  readonly plain: number | null;
  readonly few: readonly number[] | null;
  readonly numbers: readonly number[] | null;
}

const types: ColumnTypes<Row> = {
  id: 'bigint',
  name: 'text',
  bytes: 'bytea',
  flag: 'boolean',
  small: 'smallint',
  plain: 'integer',
  few: 'smallint[]',
  numbers: 'integer[]',
};

const names = ['', 'a', 'Ärger\n\t\\.', '日本語', '\u{1F600}"', 'x'.repeat(70_000), '{1,2}', null];

test('many rows are inserted as few are: by COPY', async (t) => {
  const { db, pool } = await createTestStore(t);
  const random = seededRandom(t);
  const some = <Value>(make: () => Value) => (random() < 0.2 ? null : make());
  const whole = (limit: number) => Math.floor((random() - 0.5) * 2 * limit);
  const rows = Array.from({ length: 120 }, (_, n): Row => {
    return {
      id: n + 2 ** 40,
      name: names[Math.floor(random() * names.length)] ?? null,
      bytes: some(() => Buffer.from([0, 255, n])),
      flag: some(() => random() < 0.5),
      small: some(() => whole(32_767)),
      plain: some(() => whole(2_147_483_647)),
      few: some(() => [1, whole(99)].slice(0, n % 3)),
      numbers: some(() => [whole(2_147_483_647), -1, 7].slice(0, n % 4)),
    };
  });
  const columns = 'name text, bytes bytea, flag boolean, small smallint, plain integer';
  for (const table of ['one_by_one', 'at_once']) {
    await pool.query(
      `CREATE TABLE ${table} (id bigint PRIMARY KEY, ${columns}, few smallint[], numbers integer[])`,
    );
  }
  const dump = async (table: string) =>
    (await pool.query(`SELECT * FROM ${table} ORDER BY id`)).rows;
  await db.transaction().execute(async (trx) => {
    for (const row of rows) await insertRows(trx, 'one_by_one', [row], types);
    await insertRows(trx, 'at_once', rows, types);
  });
  const expected = rows.map((row) => ({ ...row, id: row.id }));
  t.strictSame(await dump('at_once'), expected);
  t.strictSame(await dump('one_by_one'), expected);

  const again = db.transaction().execute((trx) => insertRows(trx, 'at_once', rows, types));
  await t.rejects(again, { code: '23505' }, 'an error of the server is passed on');
  t.match(await sql`SELECT 1 AS one`.execute(db), { rows: [{ one: 1 }] }, 'the connection works');
});
