import { fileURLToPath } from 'node:url';
import { FileStorage, stagingName } from '../../storage/file-storage.ts';
import { parseS3Url } from '../../storage/s3-location.ts';
import type { LogStorage } from './contract.ts';
import { FileLogFiles } from './file-log-files.ts';
import { PublishedLog } from './published-log.ts';

/**
 * Where STORAGE_URL, `file:///folder` or `s3://…`, keeps what is published of the log. Throws an
 * `Error` whose message is for the operator when the URL has a mistake, `StorageUnavailable` when the
 * local disk fails; a bucket is not reached for yet.
 */
export async function openLogStorage(url: string): Promise<LogStorage> {
  if (url.startsWith('file:')) {
    const folder = fileURLToPath(url);
    // Makes the folder on the very first start, by what tells it from one that is not mounted.
    await FileStorage.open(folder);
    return new PublishedLog(new FileLogFiles(folder, stagingName));
  }
  const location = parseS3Url(url);
  const { S3LogFiles } = await import('./s3-log-files.ts');
  return new PublishedLog(new S3LogFiles(location));
}
