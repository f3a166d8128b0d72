/** The organisation's calls under way leave no room for this call. */
export class TooMuchAtOnce extends Error {
  readonly code = 'RATE_LIMIT_EXCEEDED';
  /** Whole seconds. */
  readonly retryAfterSeconds = 5;

  /** @param name the claims that leave no room, in the plural */
  constructor(name: string) {
    super(`too many ${name} of this organisation at once; try again after some of them have ended`);
    this.name = 'TooMuchAtOnce';
  }
}
