import type { Kysely } from 'kysely';
import type pg from 'pg';
import { projections } from '../../projections/registry.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import { tableName } from '../../src/subscriptions/projection.ts';
import { listBuilds } from '../../src/subscriptions/projection-builds.ts';

const operational = [
  'console_challenges',
  'console_sessions',
  'data_keys',
  'key_uses',
  'request_counts',
  'webhook_deliveries',
  'webhook_unattested_proofs',
  'webhook_endpoints',
];

/**
 * Vacuums and analyses the tables that an erasure deletes from. Deleted rows would otherwise stay
 * in their files until the next autovacuum, and frequent values in the statistics of the planner
 * (`pg_stats`) for as long. Returns the tables for which this was not possible.
 */
export async function vacuumErased(
  pool: pg.Pool,
  db: Kysely<StoreTables>,
): Promise<readonly string[]> {
  const tables = [...operational, ...(await builtTables(db))];
  const client = await pool.connect();
  const skipped = new Set<string>();
  let table = '';
  // PostgreSQL leaves out a table that the role may not vacuum, with no more than a warning.
  const onNotice = ({ code = '' }: { code?: string | undefined }) => {
    if (code.startsWith('01')) skipped.add(table);
  };
  client.on('notice', onNotice);
  try {
    for (table of tables) {
      const work = async () => {
        await client.query(`VACUUM (ANALYZE) "${table}"`);
        await forgetStatistics(client, table);
      };
      await work().catch(() => skipped.add(table));
    }
  } finally {
    client.off('notice', onNotice);
    client.release();
  }
  return [...skipped];
}

/**
 * Removes the statistics of a table without rows: ANALYZE leaves those of its former rows.
 * PostgreSQL 18 lets the owner do so; before, only a superuser can.
 */
async function forgetStatistics(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string; hasFunction: boolean }>(
    `SELECT attname AS column, to_regproc('pg_clear_attribute_stats') IS NOT NULL AS "hasFunction"
     FROM pg_stats WHERE schemaname = current_schema() AND tablename = $1
       AND NOT EXISTS (SELECT FROM "${table}")`,
    [table],
  );
  for (const { column, hasFunction } of rows) {
    const text = hasFunction
      ? 'SELECT pg_clear_attribute_stats(current_schema(), $1, $2, false)'
      : `DELETE FROM pg_statistic USING pg_attribute
         WHERE starelid = quote_ident($1)::regclass AND attrelid = starelid
           AND attnum = staattnum AND attname = $2`;
    await client.query(text, [table, column]);
  }
}

async function builtTables(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, tables } of projections) {
    for (const { build } of await listBuilds(db, name)) found.push(...tables.map(tableName(build)));
  }
  return found;
}
