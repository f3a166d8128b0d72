import { type Kysely, sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import { tableName } from './projection.ts';

/** Definitions of the indexes to create once the build is filled. Kept with its checkpoint. */
interface BuildState {
  readonly indexes: readonly string[];
}

/**
 * Drops the indexes of an empty build that belong to no constraint. Creating them from full tables
 * costs a fraction of updating them row by row. `makeIndexes` creates them again.
 */
export async function setIndexesAside(
  trx: Transaction<StoreTables>,
  { name, tables }: { readonly name: string; readonly tables: readonly string[] },
  build: number,
): Promise<void> {
  const own = tables.map(tableName(build));
  const { rows } = await sql<{ index: string; definition: string }>`
    SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index
    WHERE indrelid IN (SELECT to_regclass(quote_ident(t)) FROM unnest(${own}::text[]) AS t)
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`.execute(trx);
  for (const { index } of rows) await sql`DROP INDEX ${sql.raw(index)}`.execute(trx);
  const state: BuildState = { indexes: rows.map(({ definition }) => definition) };
  await checkpoint(trx, name, build)
    .set({ state: JSON.stringify(state) })
    .execute();
}

/** Connections that make indexes at the same time. */
const atOnce = 2;

/**
 * Creates the indexes that were set aside, and analyses the tables for the planner. Makes several
 * at the same time, the slowest kind first. May be repeated.
 */
export async function makeIndexes(
  db: Kysely<StoreTables>,
  { name, tables }: { readonly name: string; readonly tables: readonly string[] },
  build: number,
): Promise<void> {
  const row = await db
    .selectFrom('checkpoints')
    .select('state')
    .where('name', '=', name)
    .where('build', '=', build)
    .executeTakeFirst();
  const { indexes }: BuildState = row?.state == null ? { indexes: [] } : JSON.parse(row.state);
  const isSlow = (definition: string) => Number(definition.includes(' USING gin '));
  const waiting = indexes.toSorted((one, other) => isSlow(other) - isSlow(one));
  const make = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await makeIndex(db, next);
    }
  };
  const makers = Array.from({ length: atOnce }, make);
  // Await all of them, so that no index is made after this call.
  const failed = (await Promise.allSettled(makers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  await checkpoint(db, name, build).set({ state: null }).execute();
  for (const table of tables.map(tableName(build))) {
    await sql`ANALYZE ${sql.id(table)}`.execute(db);
  }
}

async function makeIndex(db: Kysely<StoreTables>, definition: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL maintenance_work_mem TO '256MB'`.execute(trx);
    await sql`SET LOCAL synchronous_commit TO off`.execute(trx);
    const unlessThere = definition.replace(/^(CREATE (?:UNIQUE )?INDEX )/, '$1IF NOT EXISTS ');
    await sql.raw(unlessThere).execute(trx);
  });
}

function checkpoint(db: Kysely<StoreTables>, name: string, build: number) {
  return db.updateTable('checkpoints').where('name', '=', name).where('build', '=', build);
}
