import type { Decider } from '../decider.ts';
import type { ProofEvent } from './events.ts';
import { evolveProof } from './evolve.ts';
import { type ProofState, unknownProof } from './state.ts';

/** The state of a proof's stream. */
export const proofDecider: Decider<ProofState, ProofEvent> = {
  initial: unknownProof,
  evolve: evolveProof,
};
