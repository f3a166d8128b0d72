import { Observable } from 'rxjs';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { LogSignal } from './log-signal.ts';
import { pullOnHints } from './pull-loop.ts';

/** A stretch of the log: its events of the wanted types, and the position it reaches. */
export interface LogBatch {
  readonly events: readonly StoredEvent[];
  readonly position: number;
}

/**
 * Reads the next stretch after a position, of all or the given types: at most `limit` events, fewer
 * where they are large. Its `position` is beyond the last event where the log held only others; it
 * equals `after` at the head.
 */
export async function readBatch(
  store: EventStore,
  after: number,
  limit: number,
  types?: readonly string[],
): Promise<LogBatch> {
  // The head is read first: everything up to it is visible to the query that follows.
  const head = await store.head();
  if (head <= after) return { events: [], position: after };
  const { events, isCut } = await store.readPage(after, limit, types);
  const last = events.at(-1)?.position ?? after;
  return { events, position: isCut ? last : Math.max(head, last) };
}

/**
 * The log as an Observable: every stretch after `after`, in order, without end. The first one may
 * be empty: it tells that the log could be read. It
 * errors if the store does.
 */
export function followLog(options: {
  readonly store: EventStore;
  readonly signal: LogSignal;
  readonly after: number;
  readonly limit?: number;
  readonly types?: readonly string[];
}): Observable<LogBatch> {
  const { store, signal, limit = 1_000, types } = options;
  return new Observable<LogBatch>((subscriber) => {
    let position = options.after;
    let emitted = false;
    const pull = async () => {
      while (!subscriber.closed) {
        const batch = await readBatch(store, position, limit, types);
        const isAtHead = batch.position === position;
        if (isAtHead && emitted) return;
        position = batch.position;
        emitted = true;
        subscriber.next(batch);
      }
    };
    return pullOnHints(signal.hints, pull).subscribe({
      error: (error) => subscriber.error(error),
    });
  });
}
