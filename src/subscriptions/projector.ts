import { type Kysely, sql, type Transaction } from 'kysely';
import { type Observable, retry, timer } from 'rxjs';
import type { StoreTables } from '../event-store/database.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { SeenEvent } from '../event-store/high-water-mark.ts';
import type { LogSignal } from './log-signal.ts';
import { type LogFolder, type Projection, tableName } from './projection.ts';
import { addBuild, listBuilds, lockBuilds, saveBuild } from './projection-builds.ts';
import { pullOnHints } from './pull-loop.ts';
import { showBuild } from './show-build.ts';

const batchSize = 1_000;
const retryMs = 1_000;

/**
 * Makes sure that the projection has a live build. The first build is live from the start. A live
 * build of another version stays live until a build of this version replaces it (`runProjection`).
 * Safe to call from several processes.
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
 * Folds the next page of the log, up to `upTo` at most, into the live build if it has this version.
 * Rows and checkpoint commit together. The lock on the checkpoint's row elects the leader: of
 * several projectors, one works. The live build is read under that lock. Returns the position
 * reached, or null if another process holds the lock or the live build has another version.
 */
export async function projectNext(
  db: Kysely<StoreTables>,
  store: Pick<LogReader, 'readPage'>,
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
    if (page.basis !== undefined) await requireHeld(trx, page.basis);
    await saveBuild(trx, name, live.build, { position: page.position });
    return page.position;
  });
}

/** Takes the position reached so far, -1 at first. Returns the same as `projectNext`. */
export type FoldNext = (reached: number) => Promise<number | null>;

/** Follows the log with a projection, without end. Reports and retries errors. */
export function runProjector(options: {
  readonly db: Kysely<StoreTables>;
  readonly store: Pick<LogReader, 'readPage' | 'head'>;
  readonly signal: LogSignal;
  readonly projection: LogFolder;
  /** Folds the next page; default `projectNext`. */
  readonly foldNext?: FoldNext;
  readonly onError?: (error: unknown) => void;
}): Observable<void> {
  const { db, store, signal, projection, onError } = options;
  const { foldNext = () => projectNext(db, store, projection) } = options;
  let reached = -1;
  const pull = async () => {
    // Most hints find no new event. This check does not take the checkpoint's lock.
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

/**
 * Throws if the database lacks the page's last event. A page from memory may predate a replacement
 * of the database.
 */
async function requireHeld(
  trx: Transaction<StoreTables>,
  { position, leaf }: SeenEvent,
): Promise<void> {
  const held =
    await sql`SELECT FROM events WHERE position = ${position} AND leaf = ${leaf}`.execute(trx);
  if (held.rows.length > 0) return;
  throw new Error(
    `the database lacks event ${position}, which was read before: no further event is folded`,
  );
}

/**
 * Locks and returns the live build's row; null if it is locked, no longer live, or of another
 * version.
 */
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
