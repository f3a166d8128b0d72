import type { Recorded } from '../../../../src/domain/event.ts';
import { proofDecider } from '../../../../src/domain/proof/decider.ts';
import type { ProofEvent } from '../../../../src/domain/proof/events.ts';
import type { ProofState } from '../../../../src/domain/proof/state.ts';
import type { World } from './world.ts';

/** The proofs of the log with their states. `queued` is true if a proof was ever queued. */
export function proofsOf(world: World): ReadonlyMap<string, FoldedProof> {
  const proofs = new Map<string, FoldedProof>();
  for (const event of world.database.store.events) {
    if (!event.stream.startsWith('proof-')) continue;
    const { state, queued } = proofs.get(event.stream) ?? {
      state: proofDecider.initial,
      queued: false,
    };
    // A proof's stream holds only its own events.
    const next = proofDecider.evolve(state, event as unknown as Recorded<ProofEvent>);
    proofs.set(event.stream, { state: next, queued: queued || event.type === 'ProofQueued' });
  }
  return proofs;
}

export interface FoldedProof {
  readonly state: ProofState;
  readonly queued: boolean;
}
