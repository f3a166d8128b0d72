import { StorageUnavailable } from './storage-unavailable.ts';

/** Runs an operation on the storage of files. Wraps a failure as `StorageUnavailable`. */
export async function reachingFiles<Value>(
  what: string,
  effect: () => Promise<Value>,
): Promise<Value> {
  try {
    return await effect();
  } catch (trouble) {
    throw StorageUnavailable.wrap(trouble, `the file storage failed: ${what}`);
  }
}

/** Runs an operation on a bucket. Wraps a failure as `StorageUnavailable`. */
export async function reachingS3<Value>(
  what: string,
  effect: () => Promise<Value>,
): Promise<Value> {
  try {
    return await effect();
  } catch (trouble) {
    throw s3Unavailable(trouble, what);
  }
}

/** @param what the operation that failed */
export function s3Unavailable(trouble: unknown, what: string): Error {
  return StorageUnavailable.wrap(trouble, `the S3 storage failed: ${what}`);
}
