import { fileURLToPath } from 'node:url';
import { FileStorage } from './file-storage.ts';
import type { ObjectStorage } from './object-storage.ts';
import { parseS3Url, type S3Credentials } from './s3-location.ts';

/**
 * Opens the storage of STORAGE_URL, `file:///folder` or `s3://…`. Throws an `Error` with a message
 * for the operator if the URL has a mistake, and `StorageUnavailable` if the local disk fails. Does
 * not connect to a bucket yet.
 *
 * @param stagingFolder absolute; receives uploads to a bucket first
 * @param credentials of the bucket; default: those of the AWS environment.
 * @param onlyReads true: creates neither a missing folder, which then counts as unavailable, nor the
 *   staging folder. The storage must only be read.
 * @param mayCreate as of `FileStorage.open`
 */
export async function openObjectStorage(
  url: string,
  stagingFolder: string,
  credentials?: S3Credentials | null,
  {
    onlyReads = false,
    mayCreate = true,
  }: { readonly onlyReads?: boolean; readonly mayCreate?: boolean } = {},
): Promise<ObjectStorage> {
  if (url.startsWith('file:')) {
    const folder = fileURLToPath(url);
    return await (onlyReads ? FileStorage.toRead(folder) : FileStorage.open(folder, { mayCreate }));
  }
  const location = parseS3Url(url, credentials);
  // The SDK takes memory and time that a storage of files does not need.
  const { S3Storage } = await import('./s3-storage.ts');
  return onlyReads
    ? S3Storage.toRead(location, { stagingFolder })
    : await S3Storage.open(location, { stagingFolder });
}
