import type { ProofState, VisibleProof } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import { viewProof, viewProofStatus } from './proof-view.ts';
import { readFileName, viewOptions } from './read-proof.ts';
import type { Reply } from './reply.ts';
import type { RouteDeps } from './route-deps.ts';

/** The answer to a caller who waited; the nonce is told only to the one who created the proof. */
export async function answerWaited(
  deps: RouteDeps,
  state: ProofState,
  created: boolean,
): Promise<Reply> {
  switch (state.status) {
    case 'completed': {
      const data = viewProof(state, await viewOptions(deps, state, created));
      return created
        ? { status: 201, body: { success: true, data } }
        : { status: 200, body: { success: true, alreadyProven: true, data } };
    }
    case 'pending':
    case 'processing':
      throw new Refusal(
        'PROOF_NOT_RECORDED',
        'the ledger has not confirmed the proof yet; it stays queued, post the hash again later',
      );
    case 'withdrawn':
    case 'refused':
      throw new Refusal(
        'XRPL_ERROR',
        'the proof could not be anchored and was rolled back; the hash can be posted again',
      );
    case 'unknown':
      throw new Error('a proof that was requested has no events');
  }
}

/** The answer to a caller who does not wait: the queued proof, and where to ask for it. */
export async function answerQueued(
  deps: RouteDeps,
  base: string,
  state: VisibleProof,
  created: boolean,
): Promise<Reply> {
  const options = await viewOptions(deps, state, created);
  const data = viewProofStatus(state, options, await readFileName(deps, state));
  return {
    status: 202,
    headers: {
      Location: `${base}/proofs/${state.request.proofId}`,
      'Preference-Applied': 'respond-async',
    },
    body: { success: true, data },
  };
}
