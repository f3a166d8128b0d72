/**
 * Advice about sending a call again after an error.
 * - `never`: the same call fails again.
 * - `once`: one more time, after `retryAfterSeconds`. Nothing was done.
 * - `once if idempotent`: one more time, if the call may take effect twice.
 * - `if idempotent`: after `retryAfterSeconds`, if the call may take effect twice.
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

/** Advice about each code of the service. A later service may send codes that are not listed. */
export const retryAdvice = {
  INVALID_HASH: 'never',
  INVALID_WORKSPACE: 'never',
  INVALID_PROOF_ID: 'never',
  INVALID_TX_HASH: 'never',
  INVALID_CLASSIFICATION: 'never',
  INVALID_REQUEST: 'never',
  INVALID_JSON: 'never',
  INVALID_API_KEY: 'never',
  SCOPE_NOT_PERMITTED: 'never',
  API_ACCESS_DISABLED: 'never',
  COMPANY_SUSPENDED: 'never',
  ENTITLEMENT_EXCEEDED: 'never',
  PROOF_NOT_FOUND: 'never',
  TRANSACTION_NOT_FOUND: 'never',
  ORGANISATION_NOT_FOUND: 'never',
  API_KEY_NOT_FOUND: 'never',
  RUN_NOT_FOUND: 'never',
  LINK_NOT_FOUND: 'never',
  WEBHOOK_NOT_FOUND: 'never',
  NOT_FOUND: 'never',
  METHOD_NOT_ALLOWED: 'never',
  REQUEST_TIMEOUT: 'once',
  PROOF_NOT_ANCHORED: 'later',
  PROOF_NOT_ATTESTED: 'later',
  XPOP_NOT_POSSIBLE: 'never',
  CHECKPOINT_PENDING: 'later',
  TIMESTAMP_PENDING: 'later',
  RUN_CONFLICT: 'never',
  WEBHOOK_DISABLED: 'later',
  API_KEY_LIMIT_REACHED: 'later',
  LINK_LIMIT_REACHED: 'never',
  NO_LONGER_SHARED: 'never',
  PAYLOAD_TOO_LARGE: 'never',
  UNSUPPORTED_MEDIA_TYPE: 'never',
  FILE_BYTES_NOT_VERIFIED: 'never',
  RATE_LIMIT_EXCEEDED: 'once',
  REQUEST_HEADER_FIELDS_TOO_LARGE: 'never',
  INTERNAL_ERROR: 'once if idempotent',
  XRPL_ERROR: 'repeat',
  PROOF_NOT_RECORDED: 'later',
  SERVICE_UNAVAILABLE: 'if idempotent',
  FILE_VERIFICATION_UNAVAILABLE: 'repeat',
} as const satisfies Record<string, RetryAdvice>;

/** Every code that the service sends. */
export type ErrorCode = keyof typeof retryAdvice;
