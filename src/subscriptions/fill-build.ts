import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { isConnectionLoss, StoreUnavailable } from '../event-store/connection-loss.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { LogPage } from '../event-store/log-page.ts';
import { pagesAhead, type ReadStretch } from './pages-ahead.ts';
import { type Projection, tableName } from './projection.ts';
import { type Build, listBuilds, lockBuild, saveBuild } from './projection-builds.ts';

interface Filling {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly projection: Projection;
  readonly build: number;
  /** Log position to fold up to; the current head if absent. */
  readonly upTo?: number;
  /**
   * Log positions per page (default 16,000). In a large page, several changes of one object are
   * written at once.
   */
  readonly pageSize?: number;
  /** Reads large parts of the log on other threads; default: all is read on this one. */
  readonly readers?: BuildReaders | undefined;
  readonly cancelled?: AbortSignal | undefined;
  readonly onPosition?: (position: number) => void;
}

/** Threads that read and decode the log for builds. */
export interface BuildReaders {
  readonly threads: number;
  /** Fewer positions are not worth the start of a thread. */
  readonly fewestPositions: number;
  /** Reads as `ReadStretch`. Of types in `fields` only those fields are handed over. */
  readStretch(projection: Projection, after: number, upTo: number): Promise<LogPage>;
}

/** Another process dropped the build, or let it go live, after its builder began. */
export class BuildTaken extends Error {
  constructor(name: string, build: number) {
    super(
      `build ${build} of the projection ${name} was dropped or went live meanwhile: start the rebuild again`,
    );
    this.name = 'BuildTaken';
  }
}

const defaultPageSize = 16_000;
const retryForMs = 60_000;
const retryMs = 500;

/**
 * Folds the log into a build that is not live, in large pages. Reads the next pages while it writes
 * the current one. Rows and checkpoint commit together, so that filling may stop anywhere and start
 * again. Commits are asynchronous: the next crash of the database may lose the last ones. The
 * durable commit that lets the build go live makes all of them durable. Reconnects until there has
 * been no progress for a minute. Returns the position reached.
 */
export async function fillBuild(filling: Filling): Promise<number> {
  let reached = -1;
  let until = 0;
  for (;;) {
    try {
      return await fill(filling, (position) => {
        reached = position;
        until = performance.now() + retryForMs;
        filling.onPosition?.(position);
      });
    } catch (error) {
      if (!(isConnectionLoss(error) || error instanceof StoreUnavailable)) throw error;
      if (reached < 0 || performance.now() >= until) throw error;
      await delay(retryMs);
    }
  }
}

async function fill(filling: Filling, onPosition: (position: number) => void): Promise<number> {
  const { db, store, projection, build, upTo, cancelled } = filling;
  const { pageSize = defaultPageSize } = filling;
  const own = (await listBuilds(db, projection.name)).find((one) => one.build === build);
  let { position } = filled(own, projection.name, build);
  onPosition(position);
  const last = upTo ?? (await store.head());
  const readers = isWorthThreads(filling, last - position) ? filling.readers : undefined;
  const read: ReadStretch = readers
    ? (after, end) => readers.readStretch(projection, after, end)
    : (after, end) => store.readPage(after, pageSize, projection.types, end);
  const options = { positions: pageSize, ahead: readers ? readers.threads + 1 : 1 };
  const pages = pagesAhead(read, position, upTo === undefined ? options : { ...options, upTo });
  for await (const page of pages) {
    cancelled?.throwIfAborted();
    await writePage(filling, position, page);
    position = page.position;
    onPosition(position);
  }
  cancelled?.throwIfAborted();
  return position;
}

/** Other projections have little to decode: their reading costs the database more than this process. */
function isWorthThreads({ projection, readers }: Filling, positions: number): boolean {
  const { fields, largeTypes } = projection;
  const decodesMuch = fields !== undefined || largeTypes !== undefined;
  return decodesMuch && positions >= (readers?.fewestPositions ?? 0);
}

async function writePage(
  { db, projection, build }: Filling,
  after: number,
  page: LogPage,
): Promise<void> {
  const { name } = projection;
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL synchronous_commit TO off`.execute(trx);
    const { position } = filled(await lockBuild(trx, name, build), name, build);
    if (position !== after) throw new BuildTaken(name, build);
    if (page.events.length > 0) await projection.project(trx, page.events, tableName(build));
    await saveBuild(trx, name, build, { position: page.position });
  });
}

function filled(found: Build | null | undefined, name: string, build: number): Build {
  if (found == null || found.status === 'live') throw new BuildTaken(name, build);
  return found;
}
