import type { Api } from '../calls/api.ts';
import type { RateLimits } from '../calls/rate-limits.ts';
import { ProofmarkError } from '../errors.ts';
import type { components } from '../generated/openapi.ts';
import { type ErrorCode, retryAdvice } from '../generated/retry-advice.ts';
import type { Anchored } from './journal.ts';
import type { ProofOrder } from './prove.ts';

/** A hash of a batch, with facts about its file. */
export type BatchItem = Omit<ProofOrder, 'workspace'>;

type BatchResult = components['schemas']['BatchResult'];

/** The service's decision about one hash. */
export type Decision =
  | { readonly proof: Anchored; readonly lacksNonce: boolean }
  | { readonly error: ProofmarkError };

const maxItems = 1_000;
/** Below the 4 MB of the service, by the room for the rest of the body. */
const maxBytes = 4_000_000;

/** As many of the items, from the first one, as one batch may have now. There is at least one. */
export function sendable(items: readonly BatchItem[], limits: RateLimits): BatchItem[] {
  const most = Math.max(1, Math.min(maxItems, limits.items()));
  const sent: BatchItem[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += new TextEncoder().encode(JSON.stringify(item)).length + 1;
    if (sent.length >= most || (sent.length > 0 && bytes > maxBytes)) break;
    sent.push(item);
  }
  return sent;
}

/** Sends one batch, and returns the decision about each hash. */
export async function sendBatch(
  api: Api,
  workspace: string,
  items: readonly BatchItem[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Decision>> {
  const { body } = await api.POST('/proofs/batch', {
    body: { workspace, items: [...items] },
    signal,
  });
  const results = body.data as readonly BatchResult[];
  if (!Array.isArray(results) || results.length !== items.length) {
    throw new ProofmarkError('UNEXPECTED_ANSWER', 'the answer has not one result for each hash');
  }
  const decisions = results.map(decisionOf);
  const proofs = decisions.flatMap((one) => ('proof' in one ? [one.proof.proofId] : []));
  if (new Set(proofs).size < proofs.length) {
    throw new ProofmarkError('UNEXPECTED_ANSWER', 'the answer has one proof for several hashes');
  }
  return new Map(
    items.flatMap(({ hash }, at) => {
      const decision = decisions[at];
      return decision === undefined ? [] : [[hash, decision]];
    }),
  );
}

function decisionOf(result: BatchResult): Decision {
  const { status, retryAfterSeconds, body } = result ?? {};
  if (typeof body === 'object' && body !== null && 'data' in body) {
    const { proofId, txHash, timestamp, proofNonce, proofCommitment } = body.data ?? {};
    if (isText(proofId) && isText(txHash) && isText(timestamp)) {
      const lacksNonce = isText(proofCommitment) && !isText(proofNonce);
      return { proof: { proofId, txHash, timestamp, proofNonce }, lacksNonce };
    }
  } else if (isText(body?.code) && typeof body.message === 'string') {
    const { code, message, proofId = null } = body;
    const seconds = Number(retryAfterSeconds);
    const details = { status, retryAfterSeconds: seconds >= 0 ? seconds : null, proofId };
    return { error: new ProofmarkError(code, message, details) };
  }
  throw new ProofmarkError('UNEXPECTED_ANSWER', 'the result of a hash is neither proof nor error');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** True if the hash can still be proven by sending it again. */
export function isOpen({ code }: ProofmarkError): boolean {
  return Object.hasOwn(retryAdvice, code) && retryAdvice[code as ErrorCode] !== 'never';
}
