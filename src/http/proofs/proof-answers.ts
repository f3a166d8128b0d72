import { ProofNotRecorded } from '../../domain/proof/proof-not-recorded.ts';
import type { ProofState, VisibleProof } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { viewProof, viewProofStatus } from '../../views/proof-view.ts';
import { readFile, statusOptions, viewOptions } from '../../views/read-proof.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import type { Reply } from '../reply.ts';
import type { NonceOffer } from './offer-nonce.ts';

/** Dependencies of showing a proof. */
export type ProofAnswerDeps = Pick<ViewDeps, 'store' | 'db' | 'ledgers' | 'publicUrl'>;

/** `created` is true for the call that requested the proof. */
interface ProofAnswer {
  readonly created: boolean;
  readonly offer: NonceOffer;
}

/** Answers a caller who waited. */
export async function answerWaited(
  deps: ProofAnswerDeps,
  state: ProofState,
  { created, offer }: ProofAnswer,
): Promise<Reply> {
  switch (state.status) {
    case 'completed': {
      const data = viewProof(state, await viewOptions(deps, state, await offer(state)));
      return created
        ? { status: 201, body: { success: true, data } }
        : { status: 200, body: { success: true, alreadyProven: true, data } };
    }
    case 'pending':
    case 'processing':
      throw new ProofNotRecorded(
        'the ledger has not confirmed the proof yet; the proof stays queued, so post the same hash later ' +
          'to get the result',
        {
          proofId: state.request.proofId,
          documentId: state.request.document?.documentId ?? null,
        },
      );
    case 'withdrawn':
    case 'refused':
      throw new Refusal(
        'XRPL_ERROR',
        'the proof could not be anchored and was rolled back; post the hash again',
      );
    case 'unknown':
      throw new Error('a proof that was requested has no events');
  }
}

/** Answers a caller who does not wait, with the queued proof and its address. */
export async function answerQueued(
  deps: ProofAnswerDeps,
  base: string,
  state: VisibleProof,
  { offer }: ProofAnswer,
): Promise<Reply> {
  const options = await statusOptions(deps, state, await offer(state));
  const data = viewProofStatus(state, options, await readFile(deps, state));
  return {
    status: 202,
    headers: {
      Location: `${base}/proofs/${state.request.proofId}`,
      'Preference-Applied': 'respond-async',
    },
    body: { success: true, data },
  };
}
