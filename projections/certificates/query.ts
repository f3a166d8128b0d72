import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { CertificatesTables } from './table.ts';

/**
 * Returns the given blobs that are certificates, as far as the log has been folded. Wait for the
 * head of the log (`awaitPosition`) before concluding that a blob is absent.
 */
export async function namedCertificates(
  db: ReadModels,
  keys: readonly BlobKey[],
): Promise<readonly BlobKey[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .$extendTables<CertificatesTables>()
    .selectFrom('certificate_blobs')
    .where('blob_key', 'in', keys)
    .select('blob_key')
    .execute();
  // The keys were written from events, so they are blob keys.
  return rows.map((row) => row.blob_key as BlobKey);
}
