import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import { tableName } from './projection.ts';
import { findViewOwner } from './view-owner.ts';

const invalidTableDefinition = '42P16';

/**
 * Points the views that queries read at the tables of a build. Takes each view's lock, and so waits
 * for queries that run on the view. Queries that arrive meanwhile wait behind it.
 */
export async function showBuild(
  trx: Transaction<StoreTables>,
  tables: readonly string[],
  build: number,
): Promise<void> {
  const named = tableName(build);
  const owner = await findViewOwner(trx, tables);
  for (const table of tables) {
    const view = sql.id(table);
    const definition = sql`VIEW ${view} AS SELECT * FROM ${sql.id(named(table))}`;
    await sql`SAVEPOINT view`.execute(trx);
    try {
      await sql`CREATE OR REPLACE ${definition}`.execute(trx);
    } catch (error) {
      if (!isCode(error, invalidTableDefinition)) throw error;
      // The version lacks or changes a column: recreate the view, without its grants.
      await sql`ROLLBACK TO SAVEPOINT view`.execute(trx);
      await sql`DROP VIEW ${view}`.execute(trx);
      await sql`CREATE ${definition}`.execute(trx);
    }
    if (owner !== null) await sql`ALTER VIEW ${view} OWNER TO ${sql.id(owner)}`.execute(trx);
    await sql`RELEASE SAVEPOINT view`.execute(trx);
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
