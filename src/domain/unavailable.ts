/** What callers are told of something outside that is away: all of it may be tried again shortly. */
export type UnavailableCode = 'SERVICE_UNAVAILABLE' | 'FILE_VERIFICATION_UNAVAILABLE';

/** Something outside of the service cannot be used now. The caller did nothing wrong. */
export class Unavailable extends Error {
  readonly code: UnavailableCode;
  /** What the caller may be told; the message is for the log. */
  readonly told: string;

  constructor(code: UnavailableCode, told: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unavailable';
    this.code = code;
    this.told = told;
  }
}
