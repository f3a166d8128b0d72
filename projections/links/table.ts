import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** Links that were not withdrawn, by the hash of their token. */
export type LinksTables = {
  links: {
    token_hash: string;
    link_id: string;
    organisation_id: string;
    proof_id: string;
  };
};

export const linksTables: readonly (keyof LinksTables)[] = ['links'];

export async function createLinksTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('links'))} (
      token_hash text NOT NULL PRIMARY KEY,
      link_id text NOT NULL UNIQUE,
      organisation_id text NOT NULL,
      proof_id text NOT NULL
    )`.execute(trx);
}
