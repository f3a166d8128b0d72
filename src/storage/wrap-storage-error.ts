import { BlobLost } from '../domain/blob/blob-lost.ts';
import { isNoSpace } from '../files/is-no-space.ts';
import { StorageFull } from './storage-full.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

/** Returns a storage error or a bug unchanged; wraps any other error as the cause of one. */
export function wrapStorageError(trouble: unknown, message: string): Error {
  if (
    trouble instanceof StorageUnavailable ||
    trouble instanceof BlobLost ||
    trouble instanceof TypeError ||
    trouble instanceof RangeError
  ) {
    return trouble;
  }
  const options = { cause: trouble };
  return isNoSpace(trouble) || isBucketFull(trouble)
    ? new StorageFull(`${message}: no space left`, options)
    : new StorageUnavailable(message, options);
}

/**
 * Codes of S3 servers for a quota or disk that is full: Ceph (QuotaExceeded), MinIO (the others).
 * Status 507 is HTTP's own (RFC 4918, 11.5).
 */
const fullCodes = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

function isBucketFull(trouble: unknown): boolean {
  if (!(trouble instanceof Error)) return false;
  const metadata = '$metadata' in trouble ? (trouble.$metadata as { httpStatusCode?: number }) : {};
  return fullCodes.includes(trouble.name) || metadata.httpStatusCode === 507;
}
