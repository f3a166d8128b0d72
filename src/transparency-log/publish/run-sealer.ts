import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { LogDiffers } from '../guard/log-differs.ts';
import { Sealer, type SealerOptions } from './sealer.ts';

export interface RunningSealerOptions extends SealerOptions {
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  /** How often a checkpoint is published, where there are new events. */
  readonly intervalMs: number;
  /** The database is not the log that was published: the process must not go on appending. */
  readonly onDiffers: (error: LogDiffers) => void;
  /** It is tried again the next time. */
  readonly onError: (error: unknown) => void;
}

const lockName = 'sealing';

/**
 * Publishes checkpoints of the log in one process of all that run it: the one that has the lock keeps
 * it until it fails. A log in which nothing happens is left alone. Resolves what it returns when the
 * work under way has ended.
 */
export function runSealer(options: RunningSealerOptions): () => Promise<void> {
  const { locks, intervalMs } = options;
  let stopped = false;
  let held: number | null = null;
  let sealer = new Sealer(options);
  let working: Promise<void> = Promise.resolve();
  const turn = async () => {
    for (;;) {
      const taking = await locks.hold(lockName);
      if (taking === null || stopped) return;
      // Whoever had the lock meanwhile may have published.
      if (taking !== held) sealer = new Sealer(options);
      held = taking;
      const { isBehind } = await sealer.seal();
      if (!isBehind) return;
    }
  };
  const seal = async () => {
    try {
      await turn();
    } catch (error) {
      // Whatever keeps this process from it may not keep another.
      await locks.release(lockName).catch(() => {});
      throw error;
    }
  };
  const subscription = timer(0, intervalMs)
    .pipe(
      exhaustMap(() =>
        defer(() => {
          const sealing = seal();
          working = sealing.catch(() => {});
          return sealing;
        }).pipe(
          catchError((error: unknown) => {
            if (error instanceof LogDiffers) options.onDiffers(error);
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
