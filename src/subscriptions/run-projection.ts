import { setTimeout as delay } from 'node:timers/promises';
import { concat, defer, ignoreElements, Observable, retry, timer } from 'rxjs';
import type { LogSignal } from './log-signal.ts';
import { findLiveBuild, listBuilds } from './projection-builds.ts';
import { type FoldNext, runProjector } from './projector.ts';
import {
  fillAnew,
  goLive,
  type Rebuilding,
  RebuildUnderWay,
  withRebuildLock,
} from './rebuild-projection.ts';

export interface RunningProjection extends Omit<Rebuilding, 'cancelled'> {
  readonly signal: LogSignal;
  /** As in `runProjector`, once the build is live. */
  readonly foldNext?: FoldNext;
  /** Hears of trouble that is tried again. */
  readonly onError?: (error: unknown) => void;
  /** A build of this version was made and went live at that position. */
  readonly onVersionLive?: (position: number) => void;
  /** Queries read a build of that version instead, which this program does not fold. */
  readonly onOtherVersion?: (version: number) => void;
}

const lookAgainMs = 1_000;
const retryMs = 1_000;

/**
 * Projects for ever. Where the live build is of an earlier version, a build of this one is made first
 * beside it, and goes live as soon as it holds the log; of several processes one makes it.
 */
export function runProjection(options: RunningProjection): Observable<void> {
  const { onError, onOtherVersion, db, projection } = options;
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
      runProjector(options),
    ).subscribe(subscriber);
    return () => {
      cancelled.abort();
      running.unsubscribe();
    };
  });
}

/** Resolves when no build of this version has to be made any more. */
async function bringVersionLive(
  options: Omit<RunningProjection, 'signal'> & { readonly cancelled: AbortSignal },
): Promise<void> {
  const { onVersionLive, cancelled } = options;
  while (await isToBeBuilt(options)) {
    cancelled.throwIfAborted();
    try {
      await withRebuildLock(options, async () => {
        // Whoever had the lock before may have made it.
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
 * A version that was live and is kept was rolled back by an operator, who alone lets it go live
 * again; a later version than this program's is the business of another one.
 */
async function isToBeBuilt({ db, projection }: Pick<Rebuilding, 'db' | 'projection'>) {
  const builds = await listBuilds(db, projection.name);
  const live = builds.find(({ status }) => status === 'live');
  const wasLive = builds.some(
    ({ status, version }) => status === 'kept' && version === projection.version,
  );
  return live !== undefined && live.version < projection.version && !wasLive;
}
