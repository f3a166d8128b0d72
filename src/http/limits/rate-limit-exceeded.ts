/** The caller is refused for having called too often. */
export class RateLimitExceeded extends Error {
  readonly code = 'RATE_LIMIT_EXCEEDED';
  /** Whole; after them a call succeeds. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`too many requests; try again in ${retryAfterSeconds} s`);
    this.name = 'RateLimitExceeded';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
