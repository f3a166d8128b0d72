import { endWait as decideEnd } from '../domain/proof/decide.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnProof } from './decide-on-proof.ts';

/**
 * The caller who waits for the proof must be answered now. What this appends decides the proof's
 * fate; the answer then follows from its state (`../http` reads it again).
 */
export async function endWait(store: EventStore, proofId: ProofId, meta: EventMeta): Promise<void> {
  await decideOnProof(store, proofId, decideEnd, meta);
}
