import type { Kysely } from 'kysely';
import type pg from 'pg';
import { projections } from '../../projections/registry.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import { tableName } from '../../src/subscriptions/projection.ts';
import { listBuilds } from '../../src/subscriptions/projection-builds.ts';

const operational = [
  'data_keys',
  'key_uses',
  'request_counts',
  'webhook_deliveries',
  'webhook_unattested_proofs',
  'webhook_endpoints',
];

/**
 * Vacuums the tables that an erasure deletes from. Deleted rows would otherwise stay in their files
 * until the next autovacuum. Returns the tables that could not be vacuumed.
 */
export async function vacuumErased(
  pool: pg.Pool,
  db: Kysely<StoreTables>,
): Promise<readonly string[]> {
  const skipped: string[] = [];
  for (const table of [...operational, ...(await builtTables(db))]) {
    await pool.query(`VACUUM "${table}"`).catch(() => skipped.push(table));
  }
  return skipped;
}

async function builtTables(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, tables } of projections) {
    for (const { build } of await listBuilds(db, name)) found.push(...tables.map(tableName(build)));
  }
  return found;
}
