import { giveUpProof as decideGiveUp } from '../domain/proof/decide.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnProof } from './decide-on-proof.ts';

/**
 * Gives up a queued proof that cannot be anchored: it is gone for callers, its hash
 * is free, and the unit of its document goes back to its month.
 * Refuses with PROOF_NOT_FOUND, and with INVALID_REQUEST where the proof can still be anchored.
 */
export async function giveUpProof(
  store: EventStore,
  proofId: ProofId,
  meta: EventMeta,
): Promise<void> {
  const { state } = await decideOnProof(
    store,
    proofId,
    (now) => (now.status === 'unknown' ? { proof: [], hash: [] } : decideGiveUp(now)),
    meta,
  );
  if (state.status === 'unknown') throw new Refusal('PROOF_NOT_FOUND', `no proof ${proofId}`);
}
