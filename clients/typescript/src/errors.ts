import type { RetryAdvice } from './calls/retry-advice.ts';
import { type ErrorCode, retryAdvice } from './generated/retry-advice.ts';

/** Codes of failures that the client itself finds. The service sends the others. */
export type ClientCode =
  | 'CONNECTION_FAILED'
  | 'UNEXPECTED_ANSWER'
  | 'INVALID_SIGNATURE'
  | 'DECISION_NOT_IN_RUN'
  | 'FILE_NOT_READABLE'
  | 'FILE_CHANGED'
  | 'JOURNAL_NOT_USABLE'
  | 'EVIDENCE_NOT_USABLE'
  | 'INVALID_OPTION';

interface ErrorDetails {
  /** HTTP status of the answer; null without an answer. */
  readonly status?: number | null;
  /** Id of the call, to be quoted when a fault is reported. */
  readonly requestId?: string | null;
  /** Seconds that the service asks to wait. */
  readonly retryAfterSeconds?: number | null;
  /** The queued proof; only with PROOF_NOT_RECORDED. */
  readonly proofId?: string | null;
  /** The stored document; only with PROOF_NOT_RECORDED. */
  readonly documentId?: string | null;
  /** Use of the allowance; only with ENTITLEMENT_EXCEEDED. */
  readonly usage?: Usage | null;
  readonly cause?: unknown;
}

export interface Usage {
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly unit: string;
}

/**
 * The error of every call that fails for another reason than its `signal`. `code` decides, and
 * never changes its meaning; the message is for people. `retry` is the advice about the same call.
 */
export class ProofmarkError extends Error {
  override readonly name = 'ProofmarkError';
  readonly code: ErrorCode | ClientCode;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly proofId: string | null;
  readonly documentId: string | null;
  readonly usage: Usage | null;

  constructor(code: ErrorCode | ClientCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.proofId = details.proofId ?? null;
    this.documentId = details.documentId ?? null;
    this.usage = details.usage ?? null;
  }

  /** Advice about sending the same call again. */
  get retry(): RetryAdvice {
    return adviceFor(this.code, this.status);
  }

  /** True if the same call can succeed later without a change. */
  get retryable(): boolean {
    return this.retry !== 'never';
  }
}

/** Statuses that gateways before the service answer with, in bodies without a code. */
const passing: readonly number[] = [502, 503, 504];

function adviceFor(code: string, status: number | null): RetryAdvice {
  if (Object.hasOwn(retryAdvice, code)) return retryAdvice[code as ErrorCode];
  if (code === 'CONNECTION_FAILED') return 'if idempotent';
  if (status === null) return 'never';
  if (status === 429 || status === 408) return 'once';
  // A truncated or foreign body of a success.
  if (status < 300) return 'once if idempotent';
  return passing.includes(status) ? 'if idempotent' : 'never';
}
