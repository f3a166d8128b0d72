import type { VisibleProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';

/**
 * True if a caller received the proof's nonce, as far as the log says. Nonces of proofs that do not
 * record it count as delivered.
 */
export async function nonceWasDelivered(
  store: Pick<EventStore, 'readStream'>,
  { request }: VisibleProof,
): Promise<boolean> {
  if (!request.recordsDelivery) return true;
  return (await store.readStream(streams.nonce(request.proofId))).length > 0;
}
