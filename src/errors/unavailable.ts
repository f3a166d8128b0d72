import { Transient } from './transient.ts';

/** Error codes of failures outside of the service. Each call can be retried shortly afterwards. */
export type UnavailableCode = 'SERVICE_UNAVAILABLE' | 'FILE_VERIFICATION_UNAVAILABLE';

interface UnavailableOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * A dependency outside of the service is unavailable for a call of the API: the same call can
 * succeed later. The caller did nothing wrong.
 */
export class Unavailable extends Transient {
  readonly code: UnavailableCode;
  /** Message for the caller; `message` is for the log. */
  readonly callerMessage: string;
  /** Wait before a retry; null for that of the code. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: UnavailableCode,
    callerMessage: string,
    message: string,
    { retryAfterSeconds, ...options }: UnavailableOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.callerMessage = callerMessage;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}
