import { Unavailable } from '../errors/unavailable.ts';

/**
 * The storage, or the local disk that receives uploads, cannot be used: unreachable, full, or
 * access denied. `cause` has the details. A read may be repeated; a put needs the upload again.
 */
export class StorageUnavailable extends Unavailable {
  constructor(message: string, options: StorageUnavailableOptions = {}) {
    const { callerMessage = unreachable, retryAfterSeconds, ...cause } = options;
    super('SERVICE_UNAVAILABLE', callerMessage, message, { ...cause, retryAfterSeconds });
  }
}

interface StorageUnavailableOptions extends ErrorOptions {
  readonly callerMessage?: string;
  readonly retryAfterSeconds?: number;
}

const unreachable = 'the service cannot reach its file storage; try again shortly';
