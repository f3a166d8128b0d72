import { catchError, defer, EMPTY, exhaustMap, timer } from 'rxjs';
import { orphanAfterMs } from '../../domain/blob/orphan.ts';
import type { BlobStorage } from '../../storage/contract.ts';

export interface StagedSweepOptions {
  readonly storage: Pick<BlobStorage, 'sweepStaged'>;
  readonly now: () => Date;
  readonly everyMs: number;
  /** Called with the number of files that were removed, if any. */
  readonly onSwept: (count: number) => void;
  /** Called for every failure; the next turn tries again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Removes staged files older than 24 h, at once and then periodically. Runs in every process that
 * keeps files: with a bucket, no other machine reaches its disk. Returns a function that stops it.
 */
export function sweepStaged(options: StagedSweepOptions): () => void {
  const { storage, now, everyMs, onSwept, onError } = options;
  const turn = async () => {
    const count = await storage.sweepStaged(new Date(now().getTime() - orphanAfterMs));
    if (count > 0) onSwept(count);
  };
  const subscription = timer(0, everyMs)
    .pipe(
      exhaustMap(() =>
        defer(turn).pipe(
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
