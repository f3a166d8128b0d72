import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** `certificate_blobs` holds the stored PDF of every certificate. */
export type CertificatesTables = { certificate_blobs: { blob_key: string } };

export const certificatesTables: readonly (keyof CertificatesTables)[] = ['certificate_blobs'];

export async function createCertificatesTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('certificate_blobs'))} (
      blob_key text COLLATE "C" PRIMARY KEY
    )`.execute(trx);
}
