import { Refusal } from '../refusal.ts';
import type { CompletedProof, ProofState } from './state.ts';

/** Refuses with PROOF_NOT_ANCHORED a proof that is not completed, and so has no certificate yet. */
export function requireAnchored(state: ProofState): asserts state is CompletedProof {
  if (state.status === 'completed') return;
  throw new Refusal(
    'PROOF_NOT_ANCHORED',
    'the proof is not completed yet; request the certificate when it is',
  );
}
