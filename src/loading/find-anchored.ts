import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** Position of the Anchored event of a proof of any organisation; null if there is none. */
export async function findAnchored(
  store: Pick<EventStore, 'readStream'>,
  proofId: ProofId,
): Promise<number | null> {
  const events = await store.readStream(streams.proof(proofId));
  return events.findLast(({ type }) => type === 'Anchored')?.position ?? null;
}

/** Position of the Anchored event of a proof. Rejects if there is none. */
export async function anchoredAt(
  store: Pick<EventStore, 'readStream'>,
  proofId: ProofId,
): Promise<number> {
  const position = await findAnchored(store, proofId);
  if (position === null) throw new Error(`${proofId} was never anchored`);
  return position;
}
