import { StorageUnavailable } from './storage-unavailable.ts';

/** Does what needs the bucket; what keeps it from that is `StorageUnavailable`. */
export async function reaching<Value>(what: string, effect: () => Promise<Value>): Promise<Value> {
  try {
    return await effect();
  } catch (trouble) {
    throw unavailable(trouble, what);
  }
}

/** @param what it was that failed */
export function unavailable(trouble: unknown, what: string): Error {
  return StorageUnavailable.wrap(trouble, `the S3 storage failed: ${what}`);
}
