import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { LogUnconfirmed } from '../guard/check.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';

interface RunningPublisherOptions extends PublisherOptions {
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  /** Time between two checkpoints, if there are new events. */
  readonly intervalMs: number;
  /** Called after every successful turn of the process that publishes; must return at once. */
  readonly onPublished?: () => void;
  /** The database is not the log that was published: the process must stop appending. */
  readonly onDiffers: (error: LogUnconfirmed) => void;
  /** Called for every other failure; publishing is retried after the interval. */
  readonly onError: (error: unknown) => void;
}

/** All releases use this name, so that only one of their processes publishes. */
const lockName = 'sealing';

/**
 * Publishes checkpoints of the log in one of all processes: the process with the lock keeps the
 * lock until it fails. Without new events, no checkpoint is published.
 *
 * Returns a function that stops publishing, and resolves when the work under way has ended.
 */
export function runPublisher(options: RunningPublisherOptions): () => Promise<void> {
  const { locks, intervalMs } = options;
  let stopped = false;
  let held: number | null = null;
  let publisher = new Publisher(options);
  let working: Promise<void> = Promise.resolve();
  const turn = async () => {
    for (;;) {
      const taking = await locks.hold(lockName);
      if (taking === null || stopped) return;
      // Another process may have held the lock, and published, since the last turn.
      if (taking !== held) publisher = new Publisher(options);
      held = taking;
      const { isBehind } = await publisher.publish();
      options.onPublished?.();
      if (!isBehind) return;
    }
  };
  const publish = async () => {
    try {
      await turn();
    } catch (error) {
      // Release the lock: another process may be able to publish.
      await locks.release(lockName).catch(() => {});
      throw error;
    }
  };
  const subscription = timer(0, intervalMs)
    .pipe(
      exhaustMap(() =>
        defer(() => {
          const publishing = publish();
          working = publishing.catch(() => {});
          return publishing;
        }).pipe(
          catchError((error: unknown) => {
            if (error instanceof LogUnconfirmed && error.isFinal) options.onDiffers(error);
            else if (!stopped) options.onError(error);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();
  return async () => {
    stopped = true;
    subscription.unsubscribe();
    await working;
  };
}
