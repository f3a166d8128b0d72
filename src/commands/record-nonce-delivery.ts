import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';

/**
 * Records that an answer with the proof's nonce was sent. Does nothing if one was recorded: a
 * conflict says so, without loading the stream.
 */
export async function recordNonceDelivery(
  store: Pick<EventStore, 'append'>,
  {
    organisationId,
    proofId,
  }: { readonly organisationId: OrganisationId; readonly proofId: ProofId },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.nonce(proofId);
  const event = { type: 'NonceDelivered', data: { proofId } } as const;
  try {
    await store.append([{ organisationId, stream, expectedVersion: 0, events: [event] }], meta);
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}
