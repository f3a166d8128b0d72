import { Observable, retry, type Subscriber, throwError, timer } from 'rxjs';
import { DatabaseWentBack } from '../event-store/database-went-back.ts';
import type { EventHeader, LogReader } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import { pullOnHints } from './pull-loop.ts';

/** Notifies waiters when events are appended to a stream. */
export interface StreamWatch {
  /**
   * Headers of events appended to the stream from now on. Subscribe first, then read the stream, so
   * that no event is missed in between. Errors with `DatabaseWentBack`, after which no header
   * follows.
   */
  changes(stream: string): Observable<EventHeader>;
  /** Log position up to which headers were delivered. Later ones are still to come. */
  reached(): number;
  /** Number of streams that are waited for. */
  size(): number;
  close(): void;
}

const retryMs = 500;
const readLimit = 5_000;

/**
 * Watches the log from its current head on. Database errors are retried, so waiters only wait
 * longer.
 */
export async function openStreamWatch(options: {
  readonly store: Pick<LogReader, 'readHeaders' | 'head'>;
  readonly signal: LogSignal;
  readonly onError?: (error: unknown) => void;
}): Promise<StreamWatch> {
  const { store, signal, onError } = options;
  const waiting = new Map<string, Set<Subscriber<EventHeader>>>();
  let wentBack: { readonly error: unknown } | null = null;
  let position = await store.head();

  const pull = async () => {
    for (;;) {
      const headers = await store.readHeaders(position, readLimit);
      // Before delivering: a subscription during the delivery may miss headers of this page.
      position = headers.at(-1)?.position ?? position;
      for (const header of headers) {
        for (const waiter of waiting.get(header.stream) ?? []) waiter.next(header);
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
      new Observable<EventHeader>((subscriber) => {
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
