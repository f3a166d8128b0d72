import type { Usage } from '../../domain/allowance/allowance-exceeded.ts';
import type { DocumentId, ProofId } from '../../domain/ulid.ts';
import type { Reply } from '../reply.ts';
import { type ErrorCode, statusOf } from './error-code.ts';

interface ErrorBody {
  readonly success: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** Only with ENTITLEMENT_EXCEEDED: use of the allowance. */
  readonly usage?: Usage;
  /** Only with PROOF_NOT_RECORDED: the queued proof. */
  readonly proofId?: ProofId;
  /** Only with PROOF_NOT_RECORDED: the stored document of the proof. */
  readonly documentId?: DocumentId;
}

/** An answer with an error body. */
export type ErrorReply = Reply & { readonly body: ErrorBody };

export function errorReply(code: ErrorCode, message: string): ErrorReply {
  const body = { success: false, code, message } as const;
  return { status: statusOf[code], headers: headersOf[code] ?? {}, body };
}

/** The answer to a fault. */
export function faultReply(): ErrorReply {
  return errorReply('INTERNAL_ERROR', 'the service failed; quote X-Request-Id when reporting this');
}

/** Headers that an error of this code always has. `Retry-After` is in seconds. */
const headersOf: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  INVALID_API_KEY: { 'WWW-Authenticate': 'Bearer' },
  XRPL_ERROR: { 'Retry-After': '5' },
  SERVICE_UNAVAILABLE: { 'Retry-After': '2' },
  FILE_VERIFICATION_UNAVAILABLE: { 'Retry-After': '2' },
};
