import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import type { EventStore } from '../../event-store/event-store.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { type NamedKeys, type Swept, sweepBlobs } from '../../storage/sweep-blobs.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { LogLacksMark, markLog } from './mark-log.ts';

export interface SweepOptions {
  readonly storage: BlobStorage;
  /** The log whose events name the blobs. */
  readonly log: Pick<EventStore, 'head' | 'readLog'>;
  /** Must know every event that was appended before the call. */
  readonly named: NamedKeys;
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  readonly now: () => Date;
  readonly firstAfterMs: number;
  /** Time between two marks of the log position in the storage, which knows no later events. */
  readonly markEveryMs: number;
  /** Number of marks between two sweeps. */
  readonly marksPerSweep: number;
  readonly onSwept: (swept: Swept) => void;
  /** Called once, not at every turn: an operator must act, and nothing is deleted until then. */
  readonly onLacksMark: (error: LogLacksMark) => void;
  /** Called for every other failure; the next turn tries again. */
  readonly onError: (error: unknown) => void;
}

const lockName = 'blob sweep';

/**
 * Periodically deletes blobs that uploads left behind, in one of all processes: the process with
 * the lock keeps the lock until it fails. Deletes nothing if the log does not hold the last mark in
 * the storage. Returns a function that stops it; a sweep under way ends by itself.
 */
export function runSweep(options: SweepOptions): () => void {
  const { storage, log, named, locks, now, onSwept } = options;
  const { firstAfterMs, markEveryMs, marksPerSweep } = options;
  let lacksMark = false;
  let marksLeft = 0;
  const mark = async () => {
    await markLog(storage, log);
    lacksMark = false;
  };
  // Mark before each batch is deleted, so that the mark stays correct during a long sweep.
  const namedNow: NamedKeys = async (keys) => {
    await mark();
    return named(keys);
  };
  const turn = async () => {
    if ((await locks.hold(lockName)) === null) return;
    try {
      await mark();
      marksLeft -= 1;
      if (marksLeft > 0) return;
      marksLeft = marksPerSweep;
      onSwept(await sweepBlobs(storage, namedNow, now));
    } catch (error) {
      // Release the lock: another process may be able to sweep.
      await locks.release(lockName).catch(() => {});
      throw error;
    }
  };
  const report = (error: unknown) => {
    if (!(error instanceof LogLacksMark)) return options.onError(error);
    if (!lacksMark) options.onLacksMark(error);
    lacksMark = true;
  };
  const subscription = timer(firstAfterMs, markEveryMs)
    .pipe(
      exhaustMap(() =>
        defer(turn).pipe(
          catchError((error: unknown) => {
            report(error);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();
  return () => subscription.unsubscribe();
}
