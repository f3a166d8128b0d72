import { Observable } from 'rxjs';
import type { LogReader } from '../event-store/event-store.ts';
import type { LogPage } from '../event-store/log-page.ts';
import type { LogSignal } from './log-signal.ts';
import { pullOnHints } from './pull-loop.ts';

/**
 * The log as an Observable: every page after `after`, in order, without end. The first page may be
 * empty, which shows that the log could be read. Errors if the store does.
 */
export function followLog(options: {
  readonly store: Pick<LogReader, 'readPage'>;
  readonly signal: LogSignal;
  readonly after: number;
  readonly limit?: number;
  readonly types?: readonly string[];
}): Observable<LogPage> {
  const { store, signal, limit = 1_000, types } = options;
  return new Observable<LogPage>((subscriber) => {
    let position = options.after;
    let emitted = false;
    const pull = async () => {
      while (!subscriber.closed) {
        const page = await store.readPage(position, limit, types);
        const isAtHead = page.position === position;
        if (isAtHead && emitted) return;
        position = page.position;
        emitted = true;
        subscriber.next(page);
      }
    };
    return pullOnHints(signal.hints, pull).subscribe({
      error: (error) => subscriber.error(error),
    });
  });
}
