import type { HashEvent } from '../hash/events.ts';
import type { Outcome } from '../ledger/transaction.ts';
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
import { isSalted } from './hash-scheme.ts';
import type { CompletedProof, ProofState } from './state.ts';

/**
 * What a decision appends, together or not at all: to the proof's stream, to its hash's, and to
 * that of a month's allowance. A HashReleased holds only where the hash stands by this proof: that of
 * a revision may be claimed, and stored, by others.
 */
export interface ProofDecision {
  readonly proof: readonly ProofEvent[];
  readonly hash: readonly HashEvent[];
  /** A unit of the organisation's allowance that goes back to its month. */
  readonly returnedUnit?: { readonly month: string; readonly documentId: DocumentId };
}

const nothing: ProofDecision = { proof: [], hash: [] };

/**
 * Requests a proof of a hash that is free in its workspace. `nonce` (hex) is used by the salted
 * schemes only. `queue` hands it to the service at once.
 */
export function requestProof(
  request: Omit<ProofRequested['data'], 'commitment'>,
  queue: ProofQueued['data']['reason'] | null,
): ProofDecision {
  const { hashScheme, nonce, fileHash } = request;
  const salted = isSalted(hashScheme) && nonce !== null;
  const requested: ProofEvent = {
    type: 'ProofRequested',
    data: {
      ...request,
      nonce: salted ? nonce : null,
      commitment: salted ? commit(nonce, fileHash) : null,
    },
  };
  return {
    proof: queue ? [requested, { type: 'ProofQueued', data: { reason: queue } }] : [requested],
    hash: [{ type: 'HashClaimed', data: { proofId: request.proofId } }],
  };
}

/** A caller asks to be answered now and the proof to be settled in the background. */
export function queueProof(
  state: ProofState,
  reason: ProofQueued['data']['reason'],
): ProofDecision {
  if ((state.status === 'pending' || state.status === 'processing') && !state.queued) {
    return { ...nothing, proof: [{ type: 'ProofQueued', data: { reason } }] };
  }
  return nothing;
}

/**
 * The caller's wait ended. Without a signed transaction on record nothing can have reached the
 * ledger: the attempt is rolled back. With one its fate is open: the proof is queued.
 */
export function endWait(state: ProofState): ProofDecision {
  if (state.status === 'pending' && !state.queued)
    return withdraw(state.request.proofId, 'waitEnded');
  return queueProof(state, 'waitEnded');
}

/** Puts a signed transaction on record; nothing if the proof no longer waits for one. */
export function prepareAnchor(state: ProofState, prepared: AnchorPrepared['data']): ProofDecision {
  if (state.status !== 'pending') return nothing;
  return { ...nothing, proof: [{ type: 'AnchorPrepared', data: prepared }] };
}

/** Records that the prepared transaction is in a validated ledger with tesSUCCESS. */
export function recordAnchor(state: ProofState, anchor: Anchored['data']): ProofDecision {
  if (!isUnderWay(state, anchor.transactionHash)) return nothing;
  return { ...nothing, proof: [{ type: 'Anchored', data: anchor }] };
}

/**
 * Records that the prepared transaction is definitively absent or failed. An unqueued proof is
 * rolled back with it; a queued one waits to be prepared again.
 */
export function recordExpiry(state: ProofState, expiry: AnchorExpired['data']): ProofDecision {
  if (!isUnderWay(state, expiry.transactionHash)) return nothing;
  const expired: ProofEvent = { type: 'AnchorExpired', data: expiry };
  if (state.queued) return { ...nothing, proof: [expired] };
  const reason = expiry.reason === 'absent' ? 'expired' : expiry.reason;
  const rollback = withdraw(state.request.proofId, reason);
  return { proof: [expired, ...rollback.proof], hash: rollback.hash };
}

/**
 * Records a transaction of this proof that is in a validated ledger, though the log does not know that
 * it was ever signed: a restored log has forgotten. What it knew to be under way had definitively
 * expired by then, or that transaction would not have been signed.
 */
export function recoverAnchor(
  state: ProofState,
  prepared: AnchorPrepared['data'],
  anchor: Anchored['data'],
): ProofDecision {
  if (state.status !== 'pending' && state.status !== 'processing') return nothing;
  const recovered: readonly ProofEvent[] = [
    { type: 'AnchorPrepared', data: prepared },
    { type: 'Anchored', data: anchor },
  ];
  if (state.status === 'pending') return { ...nothing, proof: recovered };
  const { transactionHash } = state.prepared;
  if (transactionHash === anchor.transactionHash) return recordAnchor(state, anchor);
  const expiry = { transactionHash, reason: 'absent', engineResult: null } as const;
  return { ...nothing, proof: [{ type: 'AnchorExpired', data: expiry }, ...recovered] };
}

/** Records what became of the prepared transaction. */
export function settleAnchor(state: ProofState, outcome: Outcome): ProofDecision {
  if (outcome.outcome === 'anchored') return recordAnchor(state, outcome.transaction);
  const { outcome: reason, transactionHash } = outcome;
  const engineResult = outcome.outcome === 'failed' ? outcome.engineResult : null;
  return recordExpiry(state, { transactionHash, reason, engineResult });
}

/**
 * An operator gives a queued proof up: final. Refused while a signed transaction of it may be on
 * the ledger, and for proofs that settle by themselves.
 */
export function giveUpProof(state: ProofState): ProofDecision {
  if (state.status === 'refused') return nothing;
  if (state.status !== 'pending' || !state.queued) {
    const why = state.status === 'pending' ? 'not queued: it settles by itself' : state.status;
    throw new Refusal(
      'INVALID_REQUEST',
      `only a queued proof that is pending can be given up; this one is ${why}`,
    );
  }
  const { proofId, document } = state.request;
  const month = document?.unitMonth ?? null;
  return {
    proof: [{ type: 'AnchorRefused', data: { reason: 'givenUp' } }],
    hash: [{ type: 'HashReleased', data: { proofId } }],
    ...(document && month ? { returnedUnit: { month, documentId: document.documentId } } : {}),
  };
}

/**
 * Issues the certificate of a proof; nothing if that was done before, by whomever. Refuses with
 * PROOF_NOT_ANCHORED until the proof is completed.
 */
export function issueCertificate(
  state: ProofState,
  certificate: CertificateIssued['data'],
): ProofDecision {
  requireAnchored(state);
  if (state.certificate !== null) return nothing;
  return { ...nothing, proof: [{ type: 'CertificateIssued', data: certificate }] };
}

/** Refuses with PROOF_NOT_ANCHORED what there can be no certificate of yet. */
export function requireAnchored(state: ProofState): asserts state is CompletedProof {
  if (state.status === 'completed') return;
  throw new Refusal(
    'PROOF_NOT_ANCHORED',
    'the proof is not anchored yet: there is a certificate once it is completed',
  );
}

function isUnderWay(
  state: ProofState,
  transactionHash: string,
): state is Extract<ProofState, { status: 'processing' }> {
  return state.status === 'processing' && state.prepared.transactionHash === transactionHash;
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
