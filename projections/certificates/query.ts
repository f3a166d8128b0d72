import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { CertificatesTables } from './table.ts';

/**
 * Those of the blobs that are certificates. Only as far as the log has been folded: wait for the head
 * of the log (`awaitPosition`) before taking an absence for one.
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
  // Written from events, whose keys they are.
  return rows.map((row) => row.blob_key as BlobKey);
}
