import { Transient } from '../errors/transient.ts';

/** The check could not be made. It may be tried again. */
export class VerificationUnavailable extends Transient {
  constructor(message: string, options?: ErrorOptions) {
    super('FILE_VERIFICATION_UNAVAILABLE', callerMessage, message, options);
  }
}

const callerMessage =
  'the check of the file could not be made; nothing was stored, try again shortly';
