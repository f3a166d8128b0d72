import { Kysely, PostgresDialect, sql } from 'kysely';
import { test } from 'tap';
import { preparingPool } from '../../src/event-store/preparing-pool.ts';
import { createTestStore } from '../support/event-store.ts';

const preparedTexts = 'SELECT statement FROM pg_prepared_statements ORDER BY 1';

test('prepares the first statements with values once for each connection', async (t) => {
  const { pool } = await createTestStore(t);
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: preparingPool(pool, 2) }) });
  const plus = (one: number, other: number) =>
    sql<{ sum: number }>`SELECT ${one}::int + ${other}::int AS sum`;
  await db.transaction().execute(async (trx) => {
    for (const one of [1, 2, 3]) {
      t.strictSame((await plus(one, 10).execute(trx)).rows, [{ sum: one + 10 }]);
    }
    await sql`SELECT 7`.execute(trx);
    await sql`SELECT ${'x'}::text`.execute(trx);
    t.strictSame((await sql`SELECT ${'y'}::text AS beyond`.execute(trx)).rows, [{ beyond: 'y' }]);
    const { rows } = await sql<{ statement: string }>`${sql.raw(preparedTexts)}`.execute(trx);
    t.strictSame(
      rows.map(({ statement }) => statement),
      ['SELECT $1::int + $2::int AS sum', 'SELECT $1::text'],
    );
  });
  const failing = db.transaction().execute((trx) => sql`SELECT 1 / ${0}::int`.execute(trx));
  await t.rejects(failing, { code: '22012' });
  t.strictSame((await plus(1, 2).execute(db)).rows, [{ sum: 3 }], 'the connection is still usable');
  t.equal(pool.idleCount, pool.totalCount, 'every connection was given back');
});
