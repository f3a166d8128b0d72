import { wrapStorageError } from './wrap-storage-error.ts';

/**
 * Runs an operation on the storage of files; `what` names it for operators. Wraps a failure as
 * `StorageUnavailable`.
 */
export const reachingFiles = reaching('file storage');

/** As `reachingFiles`, for an operation on a bucket. */
export const reachingS3 = reaching('S3 storage');

function reaching(storage: string) {
  return async <Value>(what: string, effect: () => Promise<Value>): Promise<Value> => {
    try {
      return await effect();
    } catch (trouble) {
      throw wrapStorageError(trouble, `the ${storage} failed: ${what}`);
    }
  };
}
