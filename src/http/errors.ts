import { AllowanceExceeded, type Usage } from '../domain/allowance/allowance-exceeded.ts';
import { BlobTooOld } from '../domain/blob/orphan.ts';
import { Refusal, type RefusalCode } from '../domain/refusal.ts';
import { Transient, type TransientCode } from '../errors/transient.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import { DatabaseWentBack } from '../event-store/database-went-back.ts';
import { RateLimitExceeded } from './limits/rate-limit-exceeded.ts';
import { OffloadRefused } from './offload/offload-refused.ts';
import type { Reply } from './reply.ts';
import { TooMuchAtOnce } from './shares/too-much-at-once.ts';

/** Every code that an error body can carry: refusals, and what only HTTP knows of. */
export type ErrorCode =
  | RefusalCode
  | TransientCode
  | 'INTERNAL_ERROR'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_HEADER_FIELDS_TOO_LARGE';

/** The one table from code to status. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  INVALID_HASH: 400,
  INVALID_WORKSPACE: 400,
  INVALID_PROOF_ID: 400,
  INVALID_TX_HASH: 400,
  INVALID_CLASSIFICATION: 400,
  INVALID_REQUEST: 400,
  INVALID_JSON: 400,
  INVALID_API_KEY: 401,
  SCOPE_NOT_PERMITTED: 403,
  API_ACCESS_DISABLED: 403,
  COMPANY_SUSPENDED: 403,
  ENTITLEMENT_EXCEEDED: 403,
  PROOF_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  ORGANISATION_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PROOF_NOT_ANCHORED: 409,
  CHECKPOINT_PENDING: 409,
  RUN_CONFLICT: 409,
  WEBHOOK_DISABLED: 409,
  API_KEY_LIMIT_REACHED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  FILE_BYTES_NOT_VERIFIED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  XRPL_ERROR: 502,
  PROOF_NOT_RECORDED: 502,
  SERVICE_UNAVAILABLE: 503,
  FILE_VERIFICATION_UNAVAILABLE: 503,
};

/** Headers that an error of this code always has. `Retry-After` is in seconds. */
const headersOf: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  INVALID_API_KEY: { 'WWW-Authenticate': 'Bearer' },
  SERVICE_UNAVAILABLE: { 'Retry-After': '2' },
  FILE_VERIFICATION_UNAVAILABLE: { 'Retry-After': '2' },
};

export interface ErrorBody {
  readonly success: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** With ENTITLEMENT_EXCEEDED alone: what there is of the month's allowance. */
  readonly usage?: Usage;
}

/** An answer that says what went wrong. */
export type ErrorReply = Reply & { readonly body: ErrorBody };

export function errorReply(code: ErrorCode, message: string): ErrorReply {
  const body = { success: false, code, message } as const;
  return { status: statusOf[code], headers: headersOf[code] ?? {}, body };
}

/**
 * The answer to a refusal, or to a transient failure (503: database, projection, storage, byte
 * verification).
 * Null for everything else: that is a fault, of which the caller is told nothing.
 */
export function replyToError(error: unknown): ErrorReply | null {
  if (error instanceof AllowanceExceeded) {
    const reply = errorReply(error.code, error.message);
    return { ...reply, body: { ...reply.body, usage: error.usage } };
  }
  if (error instanceof Refusal) return errorReply(error.code, error.message);
  if (error instanceof OffloadRefused) return error.reply;
  if (error instanceof TooMuchAtOnce || error instanceof RateLimitExceeded) {
    const reply = errorReply(error.code, error.message);
    return { ...reply, headers: { 'Retry-After': String(error.retryAfterSeconds) } };
  }
  if (error instanceof BlobTooOld) {
    return errorReply('SERVICE_UNAVAILABLE', 'storing the file took too long; upload it again');
  }
  const known =
    error instanceof DatabaseWentBack ? new StoreUnavailable() : StoreUnavailable.wrap(error);
  if (known instanceof Transient) return errorReply(known.code, known.callerMessage);
  return null;
}

/** The answer to a fault. */
export function faultReply(): ErrorReply {
  return errorReply('INTERNAL_ERROR', 'the service failed; quote X-Request-Id when reporting this');
}
