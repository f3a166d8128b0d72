import {
  type ProofOrder,
  type RequestProofDeps,
  requestProof,
} from '../../commands/request-proof.ts';
import { isVisible } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readProof } from '../../views/read-proof.ts';
import type { Reply } from '../reply.ts';
import type { KeyedCall } from '../route.ts';
import type { LedgerAbsence } from './ledger-absence.ts';
import { type NonceOfferDeps, offerNonce } from './offer-nonce.ts';
import { answerQueued, answerWaited, type ProofAnswerDeps } from './proof-answers.ts';
import type { ProofSettling } from './settle-proof.ts';

/** Dependencies of requesting a proof, and of answering when it is settled. */
export interface BeginProofDeps
  extends Omit<RequestProofDeps, 'beforeCreation'>,
    NonceOfferDeps,
    ProofAnswerDeps {
  readonly settleProof: ProofSettling;
  /** Networks that are known to be away. */
  readonly ledgerAbsence: Pick<LedgerAbsence, 'isAway'>;
}

/** The call for which a proof is requested. */
export type ProvingCall = Pick<
  KeyedCall<unknown, unknown, unknown>,
  'caller' | 'meta' | 'whenAnswered' | 'base'
>;

/**
 * Requests the proof, or finds the one that has claimed the hash. Resolves when that is recorded.
 * Then call the result at once: it waits until the proof is settled, unless the order does not
 * wait, and returns the answer. Both reject with the refusals of the proof. An answer that rejects
 * leaves the nonce to the next one.
 */
export async function beginProof(
  deps: BeginProofDeps,
  call: ProvingCall,
  order: ProofOrder,
): Promise<() => Promise<Reply>> {
  const { meta, base } = call;
  const beforeCreation = () => requireLedger(deps, order);
  const { proofId, created, state, opened } = await requestProof(
    { ...deps, beforeCreation },
    order,
    meta,
  );
  const { hashScheme } = order;
  const { offer, withdraw } = offerNonce(deps, call, { proofId, hashScheme, created });
  const answer = { created, offer };
  const settle = async () => {
    if (state?.status === 'completed') return answerWaited(deps, state, answer);
    if (order.respondAsync) {
      const queued = state ?? (await readProof(deps, proofId));
      if (isVisible(queued)) return answerQueued(deps, base, queued, answer);
    }
    const { network } = state?.request ?? order;
    const settled = await deps.settleProof({ proofId, network, created, opened }, meta);
    return answerWaited(deps, settled, answer);
  };
  return async () => {
    try {
      return await settle();
    } catch (error) {
      // The response can still be a success: that of a batch, or of a tool call.
      withdraw();
      throw error;
    }
  };
}

/** Refuses a new proof that cannot be anchored within the wait. A queued one can wait. */
function requireLedger(
  { ledgerAbsence }: Pick<BeginProofDeps, 'ledgerAbsence'>,
  { respondAsync, network }: ProofOrder,
): void {
  if (respondAsync || !ledgerAbsence.isAway(network)) return;
  throw new LedgerAway();
}

/** Refusal of a new proof while the ledger is away. Nothing was recorded. */
export class LedgerAway extends Refusal {
  constructor() {
    super(
      'XRPL_ERROR',
      'the ledger cannot be reached now, and nothing was recorded; post the hash again later',
    );
  }
}
