/** Refusal of a caller with too many requests. */
export class RateLimitExceeded extends Error {
  readonly code = 'RATE_LIMIT_EXCEEDED';
  /** Whole seconds, after which a call succeeds. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`too many requests; try again in ${retryAfterSeconds} s`);
    this.name = 'RateLimitExceeded';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
