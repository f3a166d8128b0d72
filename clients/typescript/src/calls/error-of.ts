import type { ClientCode, Usage } from '../errors.ts';
import { ProofmarkError } from '../errors.ts';
import type { ErrorCode } from '../generated/retry-advice.ts';

/** The error that an answer without success means. `body` is parsed JSON, or a text. */
export function errorOf(response: Response, body: unknown): ProofmarkError {
  const { status, headers } = response;
  const known = isErrorBody(body) ? body : null;
  const code = (known?.code ?? 'UNEXPECTED_ANSWER') as ErrorCode | ClientCode;
  const message = known?.message ?? `the answer has the status ${status} and no error code`;
  return new ProofmarkError(code, message, {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    ...(known && {
      proofId: known.proofId ?? null,
      documentId: known.documentId ?? null,
      usage: known.usage ?? null,
    }),
  });
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly proofId?: string;
  readonly documentId?: string;
  readonly usage?: Usage;
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { code, message } = body as Partial<ErrorBody>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Seconds of a `Retry-After`, which gateways may write as a date; null without one. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}
