import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { type Test, test } from 'tap';
import { preparingPool } from '../../src/event-store/preparing-pool.ts';
import { createTestStore } from '../support/event-store.ts';

const plus = (one: number, other: number) =>
  sql<{ sum: number }>`SELECT ${one}::int + ${other}::int AS sum`;

async function openPool(t: Test, most: number) {
  const { pool } = await createTestStore(t);
  const dialect = new PostgresDialect({ pool: preparingPool(pool, most) });
  return { pool, db: new Kysely<object>({ dialect }) };
}

/** Texts of the statements that the connection has prepared. */
async function preparedBy(trx: Transaction<object>): Promise<readonly string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements ORDER BY 1`.execute(trx);
  return rows.map(({ statement }) => statement);
}

test('prepares the first statements with values once for each connection', async (t) => {
  const { pool, db } = await openPool(t, 3);
  await db.transaction().execute(async (trx) => {
    for (const one of [1, 2, 3]) {
      t.strictSame((await plus(one, 10).execute(trx)).rows, [{ sum: one + 10 }]);
    }
    await sql`SELECT 7`.execute(trx);
    await sql`SELECT ${'x'}::text`.execute(trx);
    t.strictSame(await preparedBy(trx), ['SELECT $1::int + $2::int AS sum', 'SELECT $1::text']);
  });
  const failing = db.transaction().execute((trx) => sql`SELECT 1 / ${0}::int`.execute(trx));
  await t.rejects(failing, { code: '22012' });
  t.strictSame((await plus(1, 2).execute(db)).rows, [{ sum: 3 }], 'the connection is still usable');
  t.equal(pool.idleCount, pool.totalCount, 'every connection was given back');
});

test('does not prepare statements with lists of several rows or values', async (t) => {
  const { db } = await openPool(t, 3);
  await db.transaction().execute(async (trx) => {
    await sql`CREATE TEMPORARY TABLE pairs (a int, b text)`.execute(trx);
    const pairs = trx.withTables<{ pairs: { a: number; b: string } }>();
    for (const count of [1, 2, 3]) {
      const rows = Array.from({ length: count }, (_, a) => ({ a, b: 'x' }));
      await pairs.insertInto('pairs').values(rows).execute();
      const wanted = rows.map(({ a }) => a);
      await pairs.deleteFrom('pairs').where('a', 'in', wanted).execute();
    }
    t.strictSame(await preparedBy(trx), [
      'delete from "pairs" where "a" in ($1)',
      'insert into "pairs" ("a", "b") values ($1, $2)',
    ]);
  });
});

test('a connection that has prepared the most statements is replaced', async (t) => {
  const { pool, db } = await openPool(t, 2);
  const inTable = (table: string) => sql`SELECT ${table}::text AS ${sql.ref(table)}`;
  const session = async (...tables: readonly string[]) =>
    db.transaction().execute(async (trx) => {
      for (const table of tables) {
        t.strictSame((await inTable(table).execute(trx)).rows, [{ [table]: table }]);
      }
      return preparedBy(trx);
    });
  t.strictSame(await session('a', 'b', 'c'), ['SELECT $1::text AS "a"', 'SELECT $1::text AS "b"']);
  t.strictSame(await session('c'), ['SELECT $1::text AS "c"'], 'later statements get their turn');
  t.equal(pool.idleCount, pool.totalCount, 'every connection was given back');
});
