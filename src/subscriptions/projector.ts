import { type Kysely, sql, type Transaction } from 'kysely';
import { type Observable, retry, timer } from 'rxjs';
import { OperatorError } from '../errors/operator-error.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { LogPage } from '../event-store/log-page.ts';
import type { LogSignal } from './log-signal.ts';
import type { IdleEnds } from './log-tail.ts';
import { type LogFolder, type Projection, tableName } from './projection.ts';
import { addBuild, listBuilds, lockBuilds, saveBuild } from './projection-builds.ts';
import { pullOnHints } from './pull-loop.ts';
import { showBuild } from './show-build.ts';
import type { SkipIdle } from './skip-idle.ts';

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
    await savePosition(trx, { name, build: live.build }, page);
    return page.position;
  });
}

/** Takes the position reached so far, -1 at first. Returns the same as `projectNext`. */
export type FoldNext = (reached: number) => Promise<number | null>;

/** Follows the log with a projection, without end. Reports and retries errors. */
export function runProjector(options: {
  readonly db: Kysely<StoreTables>;
  readonly store: Pick<LogReader, 'readPage' | 'head'> & Partial<IdleEnds>;
  readonly signal: LogSignal;
  readonly projection: LogFolder;
  /** Skips stretches without events of the projection, if `store` finds them; default: none. */
  readonly skipIdle?: SkipIdle | undefined;
  /** Folds the next page; default `projectNext`. */
  readonly foldNext?: FoldNext;
  readonly onError?: (error: unknown) => void;
}): Observable<void> {
  const { db, store, signal, projection, onError } = options;
  const { foldNext = () => projectNext(db, store, projection) } = options;
  const { skipIdle } = options;
  const { name, version } = projection;
  const types: ReadonlySet<string> = new Set(projection.types);
  let reached = -1;
  const skipNext = async (): Promise<number | null> => {
    if (skipIdle === undefined || reached < 0) return null;
    const end = (await store.idleEnd?.(reached, types)) ?? null;
    if (end === null || !(await skipIdle({ name, version, from: reached, end }))) return null;
    return end.position;
  };
  const pull = async () => {
    // Most hints find no new event. This check does not take the checkpoint's lock.
    while ((await store.head()) > reached) {
      const position = (await skipNext()) ?? (await foldNext(reached));
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
 * Saves the page's end as the build's position. Throws if the database lacks the page's last event.
 * A page from memory may predate a replacement of the database.
 */
async function savePosition(
  trx: Transaction<StoreTables>,
  { name, build }: { readonly name: string; readonly build: number },
  { position, basis }: Pick<LogPage, 'position' | 'basis'>,
): Promise<void> {
  if (basis === undefined) return saveBuild(trx, name, build, { position });
  const saved = await sql`
    UPDATE checkpoints SET position = ${position} WHERE name = ${name} AND build = ${build}
      AND EXISTS (SELECT FROM events e WHERE e.position = ${basis.position} AND e.leaf = ${basis.leaf})`.execute(
    trx,
  );
  if (saved.numAffectedRows === 1n) return;
  throw new OperatorError(
    `the database lacks event ${basis.position}, which was read before: no further event is folded`,
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
