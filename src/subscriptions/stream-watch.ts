import { Observable, retry, type Subscriber, throwError, timer } from 'rxjs';
import { DatabaseWentBack } from '../event-store/database-went-back.ts';
import type { EventHeader, LogReader } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { LogSignal } from './log-signal.ts';
import type { RecentEvents } from './log-tail.ts';
import { pullOnHints } from './pull-loop.ts';

/** An event that was appended to a stream. */
export interface StreamChange extends EventHeader {
  /** The whole event, if it was in memory. */
  readonly event?: StoredEvent | undefined;
}

/** Notifies waiters when events are appended to a stream. */
export interface StreamWatch {
  /**
   * Events appended to the stream from now on. Subscribe first, then read the stream, so that no
   * event is missed in between. Errors with `DatabaseWentBack`, after which no event follows.
   */
  changes(stream: string): Observable<StreamChange>;
  /** Log position up to which events were delivered. Later ones are still to come. */
  reached(): number;
  /** Number of streams that are waited for. */
  size(): number;
  close(): void;
}

const retryMs = 500;
const readLimit = 5_000;

/**
 * Watches the log from its current head on. Passes on the events that the store has in memory, if
 * they can be decoded. Database errors are retried, so waiters only wait longer.
 */
export async function openStreamWatch(options: {
  readonly store: Pick<LogReader, 'readHeaders' | 'head'> & Partial<RecentEvents>;
  readonly signal: LogSignal;
  readonly onError?: (error: unknown) => void;
}): Promise<StreamWatch> {
  const { store, signal, onError } = options;
  const waiting = new Map<string, Set<Subscriber<StreamChange>>>();
  let wentBack: { readonly error: unknown } | null = null;
  let position = await store.head();

  /** An event that fails here is left to its own waiters, which read their stream. */
  const eventInMemory = (at: number) =>
    store.recent?.(at).catch((error: unknown) => {
      onError?.(error);
      return undefined;
    });

  const pull = async () => {
    for (;;) {
      const headers = await store.readHeaders(position, readLimit);
      const wanted = headers.filter(({ stream }) => waiting.has(stream));
      const events = new Map<number, StoredEvent | undefined>();
      await Promise.all(
        wanted.map(async ({ position: at }) => events.set(at, await eventInMemory(at))),
      );
      // Before delivering: a subscription during the delivery may miss events of this page.
      position = headers.at(-1)?.position ?? position;
      for (const header of headers) {
        const waiters = waiting.get(header.stream);
        if (waiters === undefined) continue;
        const change = { ...header, event: events.get(header.position) };
        for (const waiter of waiters) waiter.next(change);
      }
      if (headers.length < readLimit) return;
    }
  };
  const delay = (error: unknown) => {
    onError?.(error);
    return error instanceof DatabaseWentBack ? throwError(() => error) : timer(retryMs);
  };
  const subscription = pullOnHints(signal.hints, pull)
    .pipe(retry({ delay }))
    .subscribe({
      error: (error) => {
        wentBack = { error };
        const waiters = [...waiting.values()].flatMap((each) => [...each]);
        for (const waiter of waiters) waiter.error(error);
      },
    });

  return {
    reached: () => position,
    size: () => waiting.size,
    changes: (stream) =>
      new Observable<StreamChange>((subscriber) => {
        if (wentBack !== null) {
          subscriber.error(wentBack.error);
          return;
        }
        const waiters = waiting.get(stream) ?? new Set();
        waiting.set(stream, waiters.add(subscriber));
        return () => {
          waiters.delete(subscriber);
          if (waiters.size === 0) waiting.delete(stream);
        };
      }),
    close: () => subscription.unsubscribe(),
  };
}
