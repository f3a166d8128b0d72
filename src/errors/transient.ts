/** Error codes of failures outside of the service. Each call can be retried shortly afterwards. */
export type TransientCode = 'SERVICE_UNAVAILABLE' | 'FILE_VERIFICATION_UNAVAILABLE';

interface TransientOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * A dependency outside of the service is unavailable: the same call can succeed later. The caller
 * did nothing wrong.
 */
export class Transient extends Error {
  readonly code: TransientCode;
  /** Message for the caller; `message` is for the log. */
  readonly callerMessage: string;
  /** Wait before a retry; null for that of the code. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: TransientCode,
    callerMessage: string,
    message: string,
    { retryAfterSeconds, ...options }: TransientOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.callerMessage = callerMessage;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}
