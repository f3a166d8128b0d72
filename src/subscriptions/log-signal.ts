import { interval, merge, Observable, Subject, share } from 'rxjs';
import { connectionTo } from '../event-store/connection-to.ts';
import { DatabaseClient } from '../event-store/database-client.ts';

/** Signals that the log may have grown: a hint to look now, never a promise. */
export interface LogSignal {
  readonly hints: Observable<void>;
  close(): Promise<void>;
}

const reconnectMs = 500;

/**
 * Hints from PostgreSQL's NOTIFY, backed by polling. A lost notification or connection delays a
 * reader by `pollMs` at most.
 */
export function openLogSignal(
  url: string,
  options: {
    /** Channel to listen on; default: the channel of the log. */
    readonly channel?: string;
    readonly pollMs?: number;
    readonly onError?: (error: Error) => void;
    /** Called whenever the connection is established, including the first time. */
    readonly onConnected?: () => void;
  } = {},
): LogSignal {
  const { channel = 'proofmark_log', pollMs = 250, onError, onConnected } = options;
  const notified = new Subject<void>();
  let closed = false;
  let client: DatabaseClient | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new DatabaseClient({
      ...connectionTo(url),
      keepAlive: true,
      keepAliveInitialDelayMillis: 4_000,
      application_name: 'proofmark signal',
    });
    const lost = (error?: Error) => {
      if (error) onError?.(error);
      if (client !== next) return;
      client = null;
      next.end().catch(() => {});
      if (!closed) timer = setTimeout(connect, reconnectMs);
    };
    client = next;
    next.on('notification', () => notified.next());
    next.on('error', lost);
    next.on('end', () => lost());
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      notified.next();
      onConnected?.();
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const connecting = connect();
  const polled = new Observable<void>((subscriber) =>
    interval(pollMs).subscribe(() => subscriber.next()),
  );
  return {
    hints: merge(notified, polled).pipe(share()),
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      const last = client;
      client = null;
      await last?.end().catch(() => {});
      notified.complete();
    },
  };
}
