import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import type { EventStore } from '../../event-store/event-store.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { type NamedKeys, type Swept, sweepBlobs } from '../../storage/sweep-blobs.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { LogLacksMark } from './log-lacks-mark.ts';
import { markLog } from './mark-log.ts';

export interface SweepOptions {
  readonly storage: BlobStorage;
  /** The log whose events name the blobs. */
  readonly log: Pick<EventStore, 'head' | 'readLog'>;
  /** Must know every event that was appended by the time it is asked. */
  readonly named: NamedKeys;
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  readonly now: () => Date;
  readonly firstAfterMs: number;
  /** How often the storage is told how far the log has come: what came after, it does not know of. */
  readonly markEveryMs: number;
  /** Every how many of these times it is swept. */
  readonly marksPerSweep: number;
  readonly onSwept: (swept: Swept) => void;
  /** An operator must act, until when nothing is deleted: told once, and not every time. */
  readonly onLacksMark: (error: LogLacksMark) => void;
  /** It is tried again the next time. */
  readonly onError: (error: unknown) => void;
}

const lockName = 'blob sweep';

/**
 * Deletes from time to time what uploads left behind, in one process of all that run it: the one
 * that has the lock keeps it, until it fails. Nothing is deleted by a log that does not hold what the
 * storage was last marked with. Returns what ends it; a sweep under way comes to its end by itself.
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
  // Before each batch that is deleted, so that the mark stays new and true however long it takes.
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
      // Whatever keeps this process from it may not keep another.
      await locks.release(lockName).catch(() => {});
      throw error;
    }
  };
  const tell = (error: unknown) => {
    if (!(error instanceof LogLacksMark)) return options.onError(error);
    if (!lacksMark) options.onLacksMark(error);
    lacksMark = true;
  };
  const subscription = timer(firstAfterMs, markEveryMs)
    .pipe(
      exhaustMap(() =>
        defer(turn).pipe(
          catchError((error: unknown) => {
            tell(error);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();
  return () => subscription.unsubscribe();
}
