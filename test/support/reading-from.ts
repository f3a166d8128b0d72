import type { EventStore } from '../../src/event-store/event-store.ts';

/**
 * The store of a test on a shared database. Its log begins after a position, so that the test reads no event of
 * others. The very first event, which opens the log, is still found alone.
 */
export function readingFrom(store: EventStore, position: number): EventStore {
  return {
    ...store,
    readLog(after, limit, types) {
      const isFirst = after === 0 && limit === 1 && types === undefined;
      return store.readLog(isFirst ? 0 : Math.max(after, position), limit, types);
    },
    readPage: (after, ...rest) => store.readPage(Math.max(after, position), ...rest),
  };
}
