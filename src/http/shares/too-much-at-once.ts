/** The calls under way of the caller's organisation leave no room for this one. */
export class TooMuchAtOnce extends Error {
  readonly code = 'RATE_LIMIT_EXCEEDED';
  /** Whole seconds. */
  readonly retryAfterSeconds = 5;

  /** @param name the claims that leave no room, in the plural */
  constructor(name: string) {
    super(`too many ${name} of this organisation at once; try again when others have ended`);
    this.name = 'TooMuchAtOnce';
  }
}
