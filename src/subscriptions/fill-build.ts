import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { isConnectionLoss, StoreUnavailable } from '../event-store/connection-loss.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { LogPage } from '../event-store/log-page.ts';
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
   * Events per page (default 8,000). In a large page, several changes of one object are written at
   * once.
   */
  readonly pageSize?: number;
  readonly cancelled?: AbortSignal | undefined;
  readonly onPosition?: (position: number) => void;
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

const defaultPageSize = 8_000;
const retryForMs = 60_000;
const retryMs = 500;

/**
 * Folds the log into a build that is not live, in large pages. Reads the next page while it writes
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
  let position = filled(own, projection.name, build).position;
  const read = (after: number) => {
    const page = store.readPage(after, pageSize, projection.types, upTo);
    // The read may fail while the page before is written. The failure is handled when the page is
    // awaited.
    page.catch(() => {});
    return page;
  };
  for (let next = read(position); ; ) {
    onPosition(position);
    cancelled?.throwIfAborted();
    const page = await next;
    if (page.position === position) return position;
    next = read(page.position);
    await writePage(filling, position, page);
    position = page.position;
  }
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
