import type { EventStore, StreamsRead } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { streamNamed } from './stream-named.ts';

/** A read-only view of the log as a backup taken at this position would have it. */
export function copyUpTo(store: EventStore, end: number): EventStore {
  const upTo = <Event extends { readonly position: number }>(events: readonly Event[]) =>
    events.filter(({ position }) => position <= end);
  const readOnly = () => Promise.reject(new Error('a copy is not written to'));
  return {
    ...store,
    append: readOnly,
    appendFirst: readOnly,
    head: async () => Math.min(end, await store.head()),
    readLog: async (after, limit, types) => upTo(await store.readLog(after, limit, types)),
    async readPage(after, limit, types) {
      const page = await store.readPage(after, limit, types);
      return { ...page, events: upTo(page.events), position: Math.min(end, page.position) };
    },
    readHeaders: async (after, limit) => upTo(await store.readHeaders(after, limit)),
    readStream: async (stream) => upTo(await store.readStream(stream)),
    readNewest: async (stream, limit) => upTo(await store.readStream(stream)).slice(-limit),
    readLast: async (stream) => upTo(await store.readStream(stream)).at(-1) ?? null,
    versionOf: async (stream) => upTo(await store.readStream(streamNamed(stream))).length,
    async readStreams(streams) {
      const found: [string, readonly StoredEvent[]][] = [];
      for (const [stream, events] of await store.readStreams(streams)) {
        if (upTo(events).length > 0)
          found.push([stream, upTo<StoredEvent>(events as readonly StoredEvent[])]);
      }
      return new Map(found) as StreamsRead as never;
    },
  };
}
