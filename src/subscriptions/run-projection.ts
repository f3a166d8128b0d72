import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { concat, defer, ignoreElements, Observable, retry, timer } from 'rxjs';
import type { StoreTables } from '../event-store/database.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import type { IdleEnds } from './log-tail.ts';
import { findLiveBuild, listBuilds } from './projection-builds.ts';
import { type FoldNext, runProjector } from './projector.ts';
import {
  fillAnew,
  goLive,
  type Rebuilding,
  RebuildUnderWay,
  withRebuildLock,
} from './rebuild-projection.ts';
import type { SkipIdle } from './skip-idle.ts';

interface RunningProjection extends Omit<Rebuilding, 'cancelled'> {
  readonly signal: LogSignal;
  /** Reader for the live build, once it has this version; default `store`. */
  readonly tail?: LogReader & Partial<IdleEnds>;
  /** Database for folding into the live build; default `db`. */
  readonly repeated?: Kysely<StoreTables>;
  /** As in `runProjector`, once the build is live. */
  readonly foldNext?: FoldNext;
  /** As in `runProjector`. */
  readonly skipIdle?: SkipIdle | undefined;
  /** Called with errors that are retried. */
  readonly onError?: (error: unknown) => void;
  /** Called when a new build of this version goes live, with its position. */
  readonly onVersionLive?: (position: number) => void;
  /** Called when queries read a build of another version, which this program does not fold. */
  readonly onOtherVersion?: (version: number) => void;
}

const lookAgainMs = 1_000;
const retryMs = 1_000;

/**
 * Projects without end. If the live build has an earlier version, first makes a build of this
 * version beside it. That build goes live as soon as it has caught up with the log. Of several
 * processes, one makes it.
 */
export function runProjection(options: RunningProjection): Observable<void> {
  const { onError, onOtherVersion, db, projection, store, tail = store, repeated = db } = options;
  const cancelled = new AbortController();
  const later = (error: unknown) => {
    if (!cancelled.signal.aborted) onError?.(error);
    return timer(retryMs);
  };
  const bring = async () => {
    await bringVersionLive({ ...options, cancelled: cancelled.signal });
    const { version = projection.version } = (await findLiveBuild(db, projection.name)) ?? {};
    if (version !== projection.version) onOtherVersion?.(version);
  };
  return new Observable<void>((subscriber) => {
    const running = concat(
      defer(bring).pipe(retry({ delay: later }), ignoreElements()),
      runProjector({ ...options, db: repeated, store: tail }),
    ).subscribe(subscriber);
    return () => {
      cancelled.abort();
      running.unsubscribe();
    };
  });
}

/** Resolves when no build of this version is needed any more. */
async function bringVersionLive(
  options: Omit<RunningProjection, 'signal' | 'tail'> & { readonly cancelled: AbortSignal },
): Promise<void> {
  const { onVersionLive, cancelled } = options;
  while (await isToBeBuilt(options)) {
    cancelled.throwIfAborted();
    try {
      await withRebuildLock(options, async () => {
        // The process that held the lock before may have made the build.
        if (!(await isToBeBuilt(options))) return;
        const build = await fillAnew(options, { mayLead: true });
        onVersionLive?.(await goLive(options, build, { mayLead: true }));
      });
    } catch (error) {
      if (!(error instanceof RebuildUnderWay)) throw error;
      await delay(lookAgainMs, undefined, { signal: cancelled });
    }
  }
}

/**
 * True if this program must build its version. If an operator rolled this version back, only an
 * operator lets it go live again. A live version later than this program's belongs to another
 * program.
 */
async function isToBeBuilt({ db, projection }: Pick<Rebuilding, 'db' | 'projection'>) {
  const builds = await listBuilds(db, projection.name);
  const live = builds.find(({ status }) => status === 'live');
  const wasLive = builds.some(
    ({ status, version }) => status === 'kept' && version === projection.version,
  );
  return live !== undefined && live.version < projection.version && !wasLive;
}
