import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleProof } from './handle-proof.ts';

/**
 * Ends a caller's wait for the proof. The appended events decide the proof's fate. The answer
 * follows from its state, which `../http` reads again.
 */
export async function endWait(store: EventStore, proofId: ProofId, meta: EventMeta): Promise<void> {
  await handleProof(store, proofId, proofDecider.endWait, meta);
}
