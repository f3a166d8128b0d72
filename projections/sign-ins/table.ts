import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * People who were not removed. The indexes are HMACs under a key of the service: of the e-mail
 * address, and of the identity that signs the person in.
 */
export type SignInsTables = {
  sign_ins: {
    organisation_id: string;
    person_id: string;
    address_index: string | null;
    identity_index: string | null;
  };
};

export const signInsTables: readonly (keyof SignInsTables)[] = ['sign_ins'];

export async function createSignInsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  const table = sql.table(named('sign_ins'));
  await sql`
    CREATE TABLE ${table} (
      organisation_id text NOT NULL,
      person_id text NOT NULL,
      address_index text COLLATE "C",
      identity_index text COLLATE "C",
      PRIMARY KEY (organisation_id, person_id)
    )`.execute(trx);
  await sql`CREATE INDEX ON ${table} (address_index)`.execute(trx);
  await sql`CREATE INDEX ON ${table} (identity_index)`.execute(trx);
}
