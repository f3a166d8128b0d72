import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/**
 * Returns a function that folds the events that a stream has by then, each once and in order, and
 * resolves with the version of the last one. It reads no event that was folded before. It may be
 * called again while it runs.
 */
export function foldStream<Event extends DomainEvent>(
  store: Pick<EventStore, 'versionOf' | 'readNewest'>,
  stream: StreamName<Event>,
  observe: (event: StoredEvent<Event>) => void,
): () => Promise<number> {
  let folded = 0;
  return async () => {
    const wanted = await store.versionOf(stream);
    while (folded < wanted) {
      // Further events may come between the two reads: then the oldest wanted ones are missing.
      const newest = await store.versionOf(stream);
      for (const event of await store.readNewest(stream, newest - folded)) {
        if (event.version !== folded + 1) continue;
        observe(event);
        folded = event.version;
      }
    }
    return folded;
  };
}
