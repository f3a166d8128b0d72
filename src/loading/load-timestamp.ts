import type { CheckpointTimestamped } from '../domain/log/timestamp-events.ts';
import type { TimestampReference } from '../domain/proof/certificate-inputs.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** The recorded time-stamp token to which a certificate refers; null if it refers to none. */
export async function loadTimestamp(
  store: Pick<EventStore, 'readLast'>,
  reference: Pick<TimestampReference, 'stream'> | null,
): Promise<CheckpointTimestamped['data'] | null> {
  if (reference === null) return null;
  return (await store.readLast(reference.stream))?.data ?? null;
}
