/** The check could not be made. It may be tried again. */
export class VerificationUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VerificationUnavailable';
  }
}
