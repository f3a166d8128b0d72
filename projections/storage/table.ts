import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** `allowance_bytes` is null if the organisation is `unlimited`, or has the default. */
export type StorageTables = {
  stored_files: {
    organisation_id: string;
    files: number;
    bytes: number;
    allowance_bytes: number | null;
    unlimited: boolean;
  };
};

export const storageTables: readonly (keyof StorageTables)[] = ['stored_files'];

export async function createStorageTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('stored_files'))} (
      organisation_id text PRIMARY KEY,
      files bigint NOT NULL,
      bytes bigint NOT NULL,
      allowance_bytes bigint,
      unlimited boolean NOT NULL
    )`.execute(trx);
}
