import { StorageUnavailable } from './storage-unavailable.ts';

/**
 * The storage, or the local disk that receives uploads, has no space for files. Nothing partial is
 * stored. Everything that needs no new file works.
 */
export class StorageFull extends StorageUnavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, callerMessage, retryAfterSeconds });
  }
}

const callerMessage =
  'the service has no space for files at present; make the same call again later; ' +
  'hashes are still accepted by POST /proofs';
const retryAfterSeconds = 60;
