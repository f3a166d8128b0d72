import type { EventStore } from '../event-store/event-store.ts';
import type { Trace } from './contract.ts';

/** The same store, with its appends traced. */
export function traceStore(store: EventStore, trace: Trace): EventStore {
  return {
    ...store,
    append: (entries, meta) => {
      const types = new Set(entries.flatMap(({ events }) => events.map(({ type }) => type)));
      const attributes = {
        'proofmark.append.streams': entries.length,
        'proofmark.append.types': [...types].sort().join(','),
      };
      return trace({ name: 'append', attributes }, async (span) => {
        const appended = await store.append(entries, meta);
        span.set({ 'proofmark.append.first_position': appended.firstPosition });
        return appended;
      });
    },
  };
}
