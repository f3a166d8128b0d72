import { Unavailable } from '../domain/unavailable.ts';

/** The check could not be made. It may be tried again. */
export class VerificationUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super('FILE_VERIFICATION_UNAVAILABLE', told, message, options);
    this.name = 'VerificationUnavailable';
  }
}

const told = 'the check of the file could not be made; nothing was stored, try again shortly';
