import { Unavailable } from '../errors/unavailable.ts';

/** The check could not be made and may be repeated. */
export class VerificationUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super('FILE_VERIFICATION_UNAVAILABLE', callerMessage, message, options);
  }
}

const callerMessage =
  'the bytes of the file could not be checked, so nothing was stored; try again shortly';
