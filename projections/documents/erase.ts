import { sql, type Transaction } from 'kysely';
import { blobKeysOf } from '../../src/domain/blob/blob-key.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { DocumentsTables } from './table.ts';

/** Deletes all that is listed of these organisations, also what stands for proofs that were given up. */
export async function eraseDocuments(
  trx: Transaction<StoreTables>,
  organisationIds: readonly OrganisationId[],
  named: Named,
): Promise<void> {
  const table = (name: keyof DocumentsTables) => sql.table(named(name));
  const theirs = sql`organisation_id = ANY(${organisationIds}::text[])`;
  const proofs = sql`SELECT proof_id FROM ${table('documents')} WHERE ${theirs}`;
  await sql`DELETE FROM ${table('document_anchors')} WHERE proof_id IN (${proofs})`.execute(trx);
  const owned = ['document_details', 'documents', 'document_blocks', 'document_ordinals'] as const;
  for (const name of owned) await sql`DELETE FROM ${table(name)} WHERE ${theirs}`.execute(trx);
  for (const { from, before } of organisationIds.map(blobKeysOf)) {
    await sql`
      DELETE FROM ${table('document_blobs')}
      WHERE blob_key >= ${from} AND blob_key < ${before}`.execute(trx);
  }
}
