import type { CountDecider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore, StreamAppend } from '../event-store.ts';

/**
 * Decides the part of an append that depends only on a count, which the newest event of a stream
 * holds. Appended together with the events it belongs to, it is neither lost nor counted twice.
 */
export async function decideOnCount<Event extends DomainEvent>(
  store: Pick<EventStore, 'readLast'>,
  stream: StreamName<Event>,
  organisationId: string,
  { countAfter }: CountDecider<Event>,
  command: (count: number) => readonly Event[],
): Promise<StreamAppend> {
  const newest = await store.readLast(stream);
  const events = command(countAfter(newest));
  return { organisationId, stream, expectedVersion: newest?.version ?? 0, events };
}
