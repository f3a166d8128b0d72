import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { proofEntries } from '../loading/proof-entries.ts';

/**
 * Gives up a queued proof that cannot be anchored. Callers no longer see it, its hash is free, and
 * the unit of its document is returned to its month. Refuses with PROOF_NOT_FOUND, and with
 * INVALID_REQUEST if the proof can still be anchored.
 */
export async function giveUpProof(
  store: EventStore,
  proofId: ProofId,
  meta: EventMeta,
): Promise<void> {
  const command = (now: ProofState) =>
    now.status === 'unknown' ? { proof: [], hash: [] } : proofDecider.giveUp(now);
  const { state } = await handleStreams(store, () => proofEntries(store, proofId, command), meta);
  if (state.status === 'unknown') throw new Refusal('PROOF_NOT_FOUND', `no proof ${proofId}`);
}
