/**
 * Advice about sending a call again after an error.
 * - `never`: the same call fails again.
 * - `once`: one more time, after `retryAfterSeconds`. Nothing was done.
 * - `once if idempotent`: one more time, if the call is idempotent.
 * - `if idempotent`: after `retryAfterSeconds`, if the call is idempotent.
 * - `repeat`: after `retryAfterSeconds`. Nothing was done.
 * - `later`: not at once. The service is still at work, or another step must come first.
 */
export type RetryAdvice =
  | 'never'
  | 'once'
  | 'once if idempotent'
  | 'if idempotent'
  | 'repeat'
  | 'later';
