import { fileURLToPath } from 'node:url';
import { FileStorage } from '../../storage/file-storage.ts';
import { parseS3Url, type S3Credentials } from '../../storage/s3-location.ts';
import type { LogStorage } from './contract.ts';
import { FileLogFiles } from './file-log-files.ts';
import { PublishedLog } from './published-log.ts';

/**
 * Opens the storage of the published log at STORAGE_URL: `file:///folder` or `s3://…`. Throws an
 * `Error` with a message for the operator if the URL has a mistake. Throws `StorageUnavailable` if
 * the local disk fails. Does not connect to a bucket yet.
 *
 * @param credentials of the bucket; by default those of the AWS environment
 * @param mayCreate false: creates nothing; a missing or empty folder counts as unavailable
 */
export async function openLogStorage(
  url: string,
  credentials?: S3Credentials | null,
  { mayCreate = true }: { readonly mayCreate?: boolean } = {},
): Promise<LogStorage> {
  if (url.startsWith('file:')) {
    const folder = fileURLToPath(url);
    // Create the folder on the very first start, with the staging area that distinguishes it from
    // an unmounted one.
    if (mayCreate) await FileStorage.open(folder);
    return new PublishedLog(new FileLogFiles(folder));
  }
  const location = parseS3Url(url, credentials);
  const { S3LogFiles } = await import('./s3-log-files.ts');
  return new PublishedLog(new S3LogFiles(location));
}
