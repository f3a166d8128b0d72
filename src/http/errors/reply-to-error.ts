import { AllowanceExceeded } from '../../domain/allowance/allowance-exceeded.ts';
import { BlobTooOld } from '../../domain/blob/orphan.ts';
import { ProofNotRecorded } from '../../domain/proof/proof-not-recorded.ts';
import { Refusal } from '../../domain/refusal.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import { StoreUnavailable } from '../../event-store/connection-loss.ts';
import { DatabaseWentBack } from '../../event-store/database-went-back.ts';
import { RateLimitExceeded } from '../limits/rate-limit-exceeded.ts';
import { OffloadRefused } from '../offload/offload-refused.ts';
import { TooMuchAtOnce } from '../shares/too-much-at-once.ts';
import { type ErrorReply, errorReply } from './error-reply.ts';

/**
 * Returns the answer to a refusal or to a transient failure (503: database, projection, storage,
 * byte verification). Returns null for a fault, whose cause is hidden from the caller.
 */
export function replyToError(error: unknown): ErrorReply | null {
  if (error instanceof AllowanceExceeded) {
    const reply = errorReply(error.code, error.message);
    return { ...reply, body: { ...reply.body, usage: error.usage } };
  }
  if (error instanceof ProofNotRecorded) {
    const { proofId, documentId } = error;
    const reply = errorReply(error.code, error.message);
    const ids = documentId === null ? { proofId } : { proofId, documentId };
    return { ...reply, body: { ...reply.body, ...ids } };
  }
  if (error instanceof Refusal) return errorReply(error.code, error.message);
  if (error instanceof OffloadRefused) return error.reply;
  if (error instanceof TooMuchAtOnce || error instanceof RateLimitExceeded) {
    const reply = errorReply(error.code, error.message);
    return { ...reply, headers: { 'Retry-After': String(error.retryAfterSeconds) } };
  }
  if (error instanceof BlobTooOld) {
    return errorReply(
      'SERVICE_UNAVAILABLE',
      'storing the file took too long; upload the file again',
    );
  }
  if (isReadModelMissing(error)) {
    return errorReply(
      'SERVICE_UNAVAILABLE',
      'the data for this call are being prepared for a new release; try again in a few minutes',
    );
  }
  const known =
    error instanceof DatabaseWentBack ? new StoreUnavailable() : StoreUnavailable.wrap(error);
  if (!(known instanceof Unavailable)) return null;
  const reply = errorReply(known.code, known.callerMessage);
  if (known.retryAfterSeconds === null) return reply;
  return { ...reply, headers: { 'Retry-After': String(known.retryAfterSeconds) } };
}

/**
 * True if a statement names a table or column that the database does not have: SQLSTATE 42P01 or
 * 42703 (PostgreSQL documentation, appendix A). The live build of a projection has an older version
 * until the build of this release has caught up with the log.
 */
function isReadModelMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}

const codes: ReadonlySet<unknown> = new Set(['42P01', '42703']);
