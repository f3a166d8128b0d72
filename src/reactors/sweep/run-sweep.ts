import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import type { BlobStorage } from '../../storage/contract.ts';
import { type NamedKeys, type Swept, sweepBlobs } from '../../storage/sweep-blobs.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';

export interface SweepOptions {
  readonly storage: BlobStorage;
  /** Must know every event that was appended by the time it is asked. */
  readonly named: NamedKeys;
  readonly locks: Pick<WorkLocks, 'hold'>;
  readonly now: () => Date;
  readonly firstAfterMs: number;
  readonly everyMs: number;
  readonly onSwept: (swept: Swept) => void;
  /** It is tried again the next time. */
  readonly onError: (error: unknown) => void;
}

const lockName = 'blob sweep';

/**
 * Deletes from time to time what uploads left behind, in one process of all that run it: the one
 * that has the lock keeps it. Returns what ends it; a sweep under way comes to its end by itself.
 */
export function runSweep(options: SweepOptions): () => void {
  const { storage, named, locks, now, firstAfterMs, everyMs, onSwept, onError } = options;
  const sweep = async () => {
    if ((await locks.hold(lockName)) === null) return;
    onSwept(await sweepBlobs(storage, named, now));
  };
  const subscription = timer(firstAfterMs, everyMs)
    .pipe(
      exhaustMap(() =>
        defer(sweep).pipe(
          catchError((error: unknown) => {
            onError(error);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();
  return () => subscription.unsubscribe();
}
