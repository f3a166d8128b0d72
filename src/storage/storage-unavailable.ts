import { Transient } from '../errors/transient.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import { BlobMissing } from './blob-missing.ts';

/**
 * The storage, or the local disk that receives uploads, cannot be used: unreachable, full, or
 * access denied. `cause` has the details. A read may be repeated; a put needs the upload again.
 */
export class StorageUnavailable extends Transient {
  constructor(message: string, options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', callerMessage, message, options);
  }

  /** Returns a storage error or a bug unchanged; wraps any other error as the cause of one. */
  static wrap(trouble: unknown, message: string): Error {
    if (
      trouble instanceof StorageUnavailable ||
      trouble instanceof BlobMissing ||
      trouble instanceof BlobCorrupt ||
      trouble instanceof TypeError ||
      trouble instanceof RangeError
    ) {
      return trouble;
    }
    return new StorageUnavailable(message, { cause: trouble });
  }
}

const callerMessage = 'the service cannot reach its file storage; try again shortly';
