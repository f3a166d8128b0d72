/** Error codes of failures outside of the service. Each call can be retried shortly afterwards. */
export type TransientCode = 'SERVICE_UNAVAILABLE' | 'FILE_VERIFICATION_UNAVAILABLE';

/**
 * A dependency outside of the service is unavailable: the same call can succeed later. The caller
 * did nothing wrong.
 */
export class Transient extends Error {
  readonly code: TransientCode;
  /** Message for the caller; `message` is for the log. */
  readonly callerMessage: string;

  constructor(code: TransientCode, callerMessage: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.callerMessage = callerMessage;
  }
}
