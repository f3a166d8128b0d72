import { fileURLToPath } from 'node:url';
import type { BlobStorage } from './contract.ts';
import { FileStorage } from './file-storage.ts';
import { parseS3Url } from './s3-location.ts';

/**
 * The storage that STORAGE_URL names, `file:///folder` or `s3://…`. Throws an `Error` whose message
 * is for the operator when the URL has a mistake, `StorageUnavailable` when the local disk fails; a
 * bucket is not reached for yet.
 *
 * @param stagingFolder absolute; where uploads to a bucket are received first
 */
export async function openBlobStorage(url: string, stagingFolder: string): Promise<BlobStorage> {
  if (url.startsWith('file:')) return await FileStorage.open(fileURLToPath(url));
  const location = parseS3Url(url);
  // The SDK takes memory and time that a storage of files does not need.
  const { S3Storage } = await import('./s3-storage.ts');
  return await S3Storage.open(location, { stagingFolder });
}
