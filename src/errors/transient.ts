/** Error codes of failures outside of the service. Each call can be tried again shortly. */
export type TransientCode = 'SERVICE_UNAVAILABLE' | 'FILE_VERIFICATION_UNAVAILABLE';

/**
 * Something outside of the service cannot be used now: the same call can succeed later. The caller did
 * nothing wrong.
 */
export class Transient extends Error {
  readonly code: TransientCode;
  /** The caller's message; `message` is for the log. */
  readonly callerMessage: string;

  constructor(code: TransientCode, callerMessage: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.callerMessage = callerMessage;
  }
}
