import { Transient } from '../errors/transient.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import { BlobMissing } from './blob-missing.ts';

/**
 * The storage, or the local disk where uploads are received, cannot be used: away, full, or not
 * open to us. `cause` says more. A read may be repeated; a put needs the upload again.
 */
export class StorageUnavailable extends Transient {
  constructor(message: string, options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', callerMessage, message, options);
  }

  /** An error of the storage's own kinds, and a bug, as it is; any other as the cause of a new one. */
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
