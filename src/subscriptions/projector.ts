import type { Kysely, Transaction } from 'kysely';
import { type Observable, retry, timer } from 'rxjs';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import { type LogFolder, type Projection, tableName } from './projection.ts';
import { addBuild, listBuilds, lockBuilds, saveBuild } from './projection-builds.ts';
import { pullOnHints } from './pull-loop.ts';
import { showBuild } from './show-build.ts';

const batchSize = 1_000;
const retryMs = 1_000;

/**
 * Makes sure that the projection has a live build; the first one is live from the start. One of
 * another version stays live until a build of this version takes its place (`runProjection`). Safe
 * to call from several processes.
 */
export async function prepareProjection(
  db: Kysely<StoreTables>,
  projection: Projection,
): Promise<void> {
  const { name, tables } = projection;
  await db.transaction().execute(async (trx) => {
    await lockBuilds(trx, name);
    if ((await listBuilds(trx, name)).length > 0) return;
    await addBuild(trx, projection, { build: 1, status: 'live' });
    await showBuild(trx, tables, 1);
  });
}

/**
 * Folds the next stretch of the log, up to `upTo` at the latest, into the live build, if it is of this
 * version. Rows and checkpoint commit together; the lock of the checkpoint's row is the leadership, so
 * of several projectors one works. Which build is live is read under that lock too. Returns the
 * position reached, or null when another holds the lock or the live build is of another version.
 */
export async function projectNext(
  db: Kysely<StoreTables>,
  store: EventStore,
  projection: LogFolder,
  upTo?: number,
): Promise<number | null> {
  const { name, version, types, headersOf } = projection;
  return db.transaction().execute(async (trx) => {
    const live = await lockLive(trx, name, version);
    if (live === null) return null;
    const page = await store.readPage(live.position, batchSize, types, upTo, headersOf);
    if (page.position === live.position) return live.position;
    if (page.events.length > 0) {
      await projection.project(trx, page.events, tableName(live.build));
    }
    await saveBuild(trx, name, live.build, { position: page.position });
    return page.position;
  });
}

/** Takes the position reached so far, -1 at first. Returns as `projectNext`. */
export type FoldNext = (reached: number) => Promise<number | null>;

/** Follows the log with a projection, for ever; trouble is reported and retried. */
export function runProjector(options: {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly signal: LogSignal;
  readonly projection: LogFolder;
  /** Folds the next stretch; default `projectNext`. */
  readonly foldNext?: FoldNext;
  readonly onError?: (error: unknown) => void;
}): Observable<void> {
  const { db, store, signal, projection, onError } = options;
  const { foldNext = () => projectNext(db, store, projection) } = options;
  let reached = -1;
  const pull = async () => {
    // Most hints find nothing new: that is seen without taking the checkpoint's lock.
    while ((await store.head()) > reached) {
      const position = await foldNext(reached);
      if (position === null || position === reached) return;
      reached = position;
    }
  };
  const delay = (error: unknown) => {
    onError?.(error);
    return timer(retryMs);
  };
  return pullOnHints(signal.hints, pull).pipe(retry({ delay }));
}

/** The row as it is under the lock: one that is not live any more is not found. */
async function lockLive(
  trx: Transaction<StoreTables>,
  name: string,
  version: number,
): Promise<{ readonly build: number; readonly position: number } | null> {
  const row = await trx
    .selectFrom('checkpoints')
    .select(['build', 'position'])
    .where('name', '=', name)
    .where('status', '=', 'live')
    .where('version', '=', version)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}
