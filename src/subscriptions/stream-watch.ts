import { merge, Observable, retry, Subject, throwError, timer } from 'rxjs';
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
  const waiting = new Map<string, Set<(header: EventHeader) => void>>();
  const wentBack = new Subject<never>();
  let position = await store.head();

  const pull = async () => {
    for (;;) {
      const headers = await store.readHeaders(position, readLimit);
      for (const header of headers) {
        for (const notify of waiting.get(header.stream) ?? []) notify(header);
      }
      position = headers.at(-1)?.position ?? position;
      if (headers.length < readLimit) return;
    }
  };
  const delay = (error: unknown) => {
    onError?.(error);
    return error instanceof DatabaseWentBack ? throwError(() => error) : timer(retryMs);
  };
  const subscription = pullOnHints(signal.hints, pull)
    .pipe(retry({ delay }))
    .subscribe({ error: (error) => wentBack.error(error) });

  return {
    changes: (stream) => {
      const appended = new Observable<EventHeader>((subscriber) => {
        const notify = (header: EventHeader) => subscriber.next(header);
        const waiters = waiting.get(stream) ?? new Set();
        waiting.set(stream, waiters.add(notify));
        return () => {
          waiters.delete(notify);
          if (waiters.size === 0) waiting.delete(stream);
        };
      });
      return merge(appended, wentBack);
    },
    close: () => subscription.unsubscribe(),
  };
}
