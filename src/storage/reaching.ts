import { StorageUnavailable } from './storage-unavailable.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

/**
 * Runs an operation on the storage of files; `what` names it for operators. Wraps a failure as
 * `StorageUnavailable`.
 */
export const reachingFiles = reaching('file storage');

/** As `reachingFiles`, for an operation on a bucket. */
export const reachingS3 = reaching('S3 storage');

/** Default of `limitMs`: as long as a call of the bucket may take. */
export const fileReadMs = 30_000;

/**
 * As `reachingFiles`, for a short operation that changes nothing. Rejects after `limitMs`: a shared
 * folder may never answer while its server is away.
 *
 * @param onLate releases a value that arrives after the limit
 */
export function readingFiles<Value>(
  what: string,
  effect: () => Promise<Value>,
  limitMs: number,
  onLate?: (value: Value) => void,
): Promise<Value> {
  return reachingFiles(what, async () => {
    let isLate = false;
    const value = effect();
    value.then(
      (late) => isLate && onLate?.(late),
      () => {},
    );
    let limit: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        isLate = true;
        const message = `the file storage did not answer within ${limitMs} ms: ${what}`;
        reject(new StorageUnavailable(message));
      }, limitMs);
    });
    try {
      return await Promise.race([value, ended]);
    } finally {
      clearTimeout(limit);
    }
  });
}

function reaching(storage: string) {
  return async <Value>(what: string, effect: () => Promise<Value>): Promise<Value> => {
    try {
      return await effect();
    } catch (trouble) {
      throw wrapStorageError(trouble, `the ${storage} failed: ${what}`);
    }
  };
}
