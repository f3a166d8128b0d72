import type { CertificateRecorded } from '../certificate/events.ts';
import type { Decider, Decisions } from '../decider.ts';
import type { HashEvent } from '../hash/events.ts';
import { isReplacement, signedAs, type TransactionOutcome } from '../ledger/transaction.ts';
import { Refusal } from '../refusal.ts';
import type { DocumentId } from '../ulid.ts';
import { commit } from './commit.ts';
import type {
  AnchorExpired,
  Anchored,
  AnchorPrepared,
  CertificateIssued,
  ProofEvent,
  ProofQueued,
  ProofRequested,
} from './events.ts';
import { evolveProof } from './evolve.ts';
import { isSalted } from './hash-scheme.ts';
import type { ProofMetadata } from './metadata.ts';
import { requireAnchored } from './require-anchored.ts';
import { mayIssue, type ProofRequest, type ProofState, unknownProof } from './state.ts';

/** State of a proof's stream, and the decisions on it. */
export const proofDecider = {
  initial: unknownProof,
  evolve: evolveProof,
  request,
  queue,
  endWait,
  prepareAnchor,
  recordAnchor,
  recordExpiry,
  recoverAnchor,
  recoverGivingUp,
  settleAnchor,
  giveUp,
  certify,
} satisfies Decider<ProofState, ProofEvent> & Decisions;

/**
 * Events of a decision, appended all or nothing to the streams of the proof, its hash and a month's
 * allowance. Append a HashReleased only if the hash depends on this proof. The hash of a revision
 * may be claimed, and stored, by other proofs.
 */
export interface ProofDecision {
  readonly proof: readonly ProofEvent[];
  readonly hash: readonly HashEvent[];
  /** Unit of the organisation's allowance that is returned to its month. */
  readonly returnedUnit?: { readonly month: string; readonly documentId: DocumentId };
  /** Bytes of a certificate, to be recorded in a stream of their own. */
  readonly recorded?: CertificateRecorded;
}

/** A transaction that is on the ledger without success. */
export interface FailedTransaction {
  readonly transactionHash: string;
  readonly engineResult: string;
}

const nothing: ProofDecision = { proof: [], hash: [] };

/**
 * Requests a proof of a hash that is free in its workspace. `nonce` (hex) is used by the salted
 * schemes only. With `queue` the proof is queued at once.
 */
function request(
  request: Omit<ProofRequested['data'], 'commitment' | 'metadata' | 'recordsDelivery'> & {
    readonly metadata?: ProofMetadata | null;
  },
  queue: ProofQueued['data']['reason'] | null,
): ProofDecision {
  const { hashScheme, nonce, fileHash, metadata = null } = request;
  const salted = isSalted(hashScheme) && nonce !== null;
  const requested: ProofEvent = {
    type: 'ProofRequested',
    data: {
      ...request,
      metadata,
      nonce: salted ? nonce : null,
      commitment: salted ? commit(nonce, fileHash) : null,
      recordsDelivery: salted,
    },
  };
  return {
    proof: queue ? [requested, { type: 'ProofQueued', data: { reason: queue } }] : [requested],
    hash: [{ type: 'HashClaimed', data: { proofId: request.proofId } }],
  };
}

/** Queues the proof: the service settles it in the background. */
function queue(state: ProofState, reason: ProofQueued['data']['reason']): ProofDecision {
  if ((state.status === 'pending' || state.status === 'processing') && !state.queued) {
    return { ...nothing, proof: [{ type: 'ProofQueued', data: { reason } }] };
  }
  return nothing;
}

/**
 * Ends the caller's wait. Without a recorded signed transaction nothing can be on the ledger, so
 * the attempt is rolled back. With one, its outcome is open, so the proof is queued.
 */
function endWait(state: ProofState): ProofDecision {
  if (state.status === 'pending' && !state.queued)
    return withdraw(state.request.proofId, 'waitEnded');
  return queue(state, 'waitEnded');
}

/**
 * Records a signed transaction. Appends nothing if the proof no longer waits for one, and it does
 * not replace the outstanding one.
 */
function prepareAnchor(state: ProofState, prepared: AnchorPrepared['data']): ProofDecision {
  const replaces = state.status === 'processing' && isReplacement(state.prepared, prepared);
  if (state.status !== 'pending' && !replaces) return nothing;
  return { ...nothing, proof: [{ type: 'AnchorPrepared', data: prepared }] };
}

/**
 * Records that the prepared transaction, or one that it has replaced, is in a validated ledger with
 * tesSUCCESS.
 */
function recordAnchor(state: ProofState, anchor: Anchored['data']): ProofDecision {
  if (!isUnderWay(state, anchor.transactionHash)) return nothing;
  return { ...nothing, proof: [{ type: 'Anchored', data: anchor }] };
}

/**
 * Records that the prepared transaction is definitively absent, with all that it has replaced, or
 * that one of them failed. An unqueued proof is also rolled back. A queued one waits for the next
 * transaction.
 */
function recordExpiry(state: ProofState, expiry: AnchorExpired['data']): ProofDecision {
  if (!isUnderWay(state, expiry.transactionHash)) return nothing;
  // An absent earlier one leaves the newest, which may still be on the ledger.
  const isNewest = state.prepared.transactionHash === expiry.transactionHash;
  if (expiry.reason !== 'failed' && !isNewest) return nothing;
  const expired: ProofEvent = { type: 'AnchorExpired', data: expiry };
  if (state.queued) return { ...nothing, proof: [expired] };
  const reason = expiry.reason === 'absent' ? 'expired' : expiry.reason;
  const rollback = withdraw(state.request.proofId, reason);
  return { proof: [expired, ...rollback.proof], hash: rollback.hash };
}

/**
 * Records a transaction of this proof that is in a validated ledger but unknown to a restored log.
 * A transaction that the log knows as under way had been replaced by this one, if both have the same
 * Sequence. Otherwise it is not on the ledger, or it is `failed` there.
 */
function recoverAnchor(
  state: ProofState,
  prepared: AnchorPrepared['data'],
  anchor: Anchored['data'],
  failed: FailedTransaction | null = null,
): ProofDecision {
  if (state.status !== 'pending' && state.status !== 'processing') return nothing;
  const recovered: readonly ProofEvent[] = [
    { type: 'AnchorPrepared', data: prepared },
    { type: 'Anchored', data: anchor },
  ];
  if (state.status === 'pending') return { ...nothing, proof: recovered };
  const known = recordAnchor(state, anchor);
  if (known.proof.length > 0) return known;
  const { transactionHash } = state.prepared;
  const replacement = { ...prepared, replaces: transactionHash };
  if (isReplacement(state.prepared, replacement)) {
    const replaced: ProofEvent = { type: 'AnchorPrepared', data: replacement };
    return { ...nothing, proof: [replaced, { type: 'Anchored', data: anchor }] };
  }
  return { ...nothing, proof: [lostExpiry(state, failed), ...recovered] };
}

/**
 * Records again that a proof was given up, after the log has lost that event. Its known transaction is
 * not on the ledger, or has `failed` there. Refuses like `giveUp`.
 */
function recoverGivingUp(state: ProofState, failed: FailedTransaction | null): ProofDecision {
  if (state.status !== 'processing' || !state.queued) return giveUp(state);
  const gone = givenUp(state.request);
  return { ...gone, proof: [lostExpiry(state, failed), ...gone.proof] };
}

function lostExpiry(
  { prepared: { transactionHash } }: Extract<ProofState, { status: 'processing' }>,
  failed: FailedTransaction | null,
): AnchorExpired {
  const data =
    failed === null
      ? ({ transactionHash, reason: 'absent', engineResult: null } as const)
      : ({ ...failed, reason: 'failed' } as const);
  return { type: 'AnchorExpired', data };
}

/** Records the outcome of the prepared transaction. */
function settleAnchor(state: ProofState, outcome: TransactionOutcome): ProofDecision {
  if (outcome.outcome === 'anchored') return recordAnchor(state, outcome.transaction);
  const { outcome: reason, transactionHash } = outcome;
  const engineResult = outcome.outcome === 'failed' ? outcome.engineResult : null;
  return recordExpiry(state, { transactionHash, reason, engineResult });
}

/**
 * Gives a queued proof up, finally, for an operator. Refuses with INVALID_REQUEST while a signed
 * transaction of it may be on the ledger, and for proofs that settle by themselves.
 */
function giveUp(state: ProofState): ProofDecision {
  if (state.status === 'refused') return nothing;
  if (state.status !== 'pending' || !state.queued) {
    const why = state.status === 'pending' ? 'not queued: it settles by itself' : state.status;
    throw new Refusal(
      'INVALID_REQUEST',
      `only a queued proof that is pending can be given up; this one is ${why}`,
    );
  }
  return givenUp(state.request);
}

function givenUp({ proofId, document }: ProofRequest): ProofDecision {
  const month = document?.unitMonth ?? null;
  return {
    proof: [{ type: 'AnchorRefused', data: { reason: 'givenUp' } }],
    hash: [{ type: 'HashReleased', data: { proofId } }],
    ...(document && month ? { returnedUnit: { month, documentId: document.documentId } } : {}),
  };
}

/**
 * Issues the first certificate of a proof, or a successor with evidence that the newest one lacks.
 * The bytes of one with a signed bundle are recorded in clear.
 * Appends nothing if the newest certificate needs no such successor. Refuses with
 * PROOF_NOT_ANCHORED until the proof is completed.
 */
function certify(state: ProofState, certificate: CertificateIssued['data']): ProofDecision {
  requireAnchored(state);
  if (!mayIssue(state, certificate)) return nothing;
  const issued: ProofDecision = {
    ...nothing,
    proof: [{ type: 'CertificateIssued', data: certificate }],
  };
  if (certificate.issuerKey === null) return issued;
  const { pdfDigest: sha256 } = certificate;
  return { ...issued, recorded: { type: 'CertificateRecorded', data: { sha256 } } };
}

function isUnderWay(
  state: ProofState,
  transactionHash: string,
): state is Extract<ProofState, { status: 'processing' }> {
  return state.status === 'processing' && signedAs(state, transactionHash) !== undefined;
}

function withdraw(
  proofId: ProofRequested['data']['proofId'],
  reason: 'waitEnded' | 'expired' | 'failed' | 'ledgerGone',
): ProofDecision {
  return {
    proof: [{ type: 'ProofWithdrawn', data: { reason } }],
    hash: [{ type: 'HashReleased', data: { proofId } }],
  };
}
