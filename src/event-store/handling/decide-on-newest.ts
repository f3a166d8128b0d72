import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore, StreamAppend } from '../event-store.ts';

/**
 * Decides the part of an append that depends only on the newest event of a stream, such as a count.
 * Appended together with the events it belongs to, it is neither lost nor counted twice.
 */
export async function decideOnNewest<Event extends DomainEvent>(
  store: Pick<EventStore, 'readLast'>,
  stream: StreamName<Event>,
  organisationId: string,
  decide: (newest: Event | null) => readonly Event[],
): Promise<StreamAppend> {
  const newest = await store.readLast(stream);
  const events = decide(newest);
  return { organisationId, stream, expectedVersion: newest?.version ?? 0, events };
}
