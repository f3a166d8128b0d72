import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';

/**
 * Returns the role that owns the views of these tables, or null if this connection's role does.
 * PostgreSQL reads a view with the rights of its owner. So new tables for the view must belong to
 * that role, for example when an operator uses the URL of the database's owner.
 */
export async function findViewOwner(
  trx: Transaction<StoreTables>,
  tables: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ owner: string }>`
    SELECT pg_get_userbyid(relowner) AS owner FROM pg_class
    WHERE oid IN (SELECT to_regclass(quote_ident(t)) FROM unnest(${tables}::text[]) AS t)
      AND relkind = 'v' AND pg_get_userbyid(relowner) <> current_user
    LIMIT 1`.execute(trx);
  return rows[0]?.owner ?? null;
}
