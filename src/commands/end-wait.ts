import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { proofEntries } from '../loading/proof-entries.ts';

/**
 * Ends a caller's wait for the proof. The appended events decide the proof's fate. The answer
 * follows from its state, which `../http` reads again.
 */
export async function endWait(store: EventStore, proofId: ProofId, meta: EventMeta): Promise<void> {
  await handleStreams(store, () => proofEntries(store, proofId, proofDecider.endWait), meta);
}
