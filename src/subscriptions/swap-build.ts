import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { BuildTaken } from './fill-build.ts';
import { type Projection, tableName } from './projection.ts';
import { type Build, findLiveBuild, lockBuild, saveBuild } from './projection-builds.ts';
import { isCode, showBuild } from './show-build.ts';

interface Swap {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly projection: Projection;
  /** Build to go live, nearly as far as the live one. */
  readonly build: number;
  /**
   * True if the build may be ahead of the live one, because no process folds the live one any more.
   */
  readonly mayLead?: boolean;
}

interface Swapped {
  /** Log position at which the build went live. */
  readonly position: number;
  /** The build that was live until then. */
  readonly before: number;
}

/** The build is ahead of the live one, which must catch up first. */
export class BuildAhead extends Error {
  readonly position: number;

  constructor(name: string, position: number) {
    super(`the live build of the projection ${name} has not reached position ${position}`);
    this.name = 'BuildAhead';
    this.position = position;
  }
}

const lockNotAvailable = '55P03';
const pageSize = 1_000;
/**
 * Longest wait for each view's lock. New queries wait behind a swap that waits for running ones.
 */
const viewWaitMs = 100;
const retryForMs = 60_000;
const retryMs = 50;

/**
 * Lets a build go live in place of the live one, which is kept. Locks both checkpoints, folds the
 * build to the exact position of the live one, and changes the views and the live status. All of
 * this is one transaction. So the position that `awaitPosition` reads and the rows that queries
 * read are of one build, and neither goes back. Projectors wait meanwhile and then find the new
 * build. Rejects with `BuildAhead` unless `mayLead`, and with an error if queries hold a view for a
 * minute.
 */
export async function swapBuild(swap: Swap): Promise<Swapped> {
  const until = performance.now() + retryForMs;
  for (;;) {
    try {
      return await swap.db.transaction().execute((trx) => trySwap(trx, swap));
    } catch (error) {
      if (!isCode(error, lockNotAvailable)) throw error;
      if (performance.now() >= until) {
        const { name } = swap.projection;
        const message = `queries have held the views of ${name} for a minute: is one left open?`;
        throw new Error(message, { cause: error });
      }
      await delay(retryMs + Math.random() * retryMs);
    }
  }
}

async function trySwap(trx: Transaction<StoreTables>, swap: Swap): Promise<Swapped> {
  const { projection, build, mayLead = false } = swap;
  const { name, tables } = projection;
  const live = await lockLiveBuild(trx, name);
  const next = await lockBuild(trx, name, build);
  if (next === null || next.status === 'live') throw new BuildTaken(name, build);
  if (next.position > live.position && !mayLead) throw new BuildAhead(name, next.position);
  const position = await foldUpTo(trx, swap, next.position, live.position);
  await sql`SELECT set_config('lock_timeout', ${`${viewWaitMs}ms`}, true)`.execute(trx);
  await showBuild(trx, tables, build);
  await saveBuild(trx, name, live.build, { status: 'kept' });
  await saveBuild(trx, name, build, { status: 'live', position });
  return { position, before: live.build };
}

/**
 * Locks the live build. Repeats the look-up, since another build may go live before the lock is
 * taken.
 */
async function lockLiveBuild(trx: Transaction<StoreTables>, name: string): Promise<Build> {
  for (;;) {
    const live = await findLiveBuild(trx, name);
    if (live === null) throw new Error(`the projection ${name} was never prepared`);
    const locked = await lockBuild(trx, name, live.build);
    if (locked?.status === 'live') return locked;
  }
}

async function foldUpTo(
  trx: Transaction<StoreTables>,
  { store, projection, build }: Swap,
  from: number,
  upTo: number,
): Promise<number> {
  let position = from;
  while (position < upTo) {
    const page = await store.readPage(position, pageSize, projection.types, upTo);
    if (page.events.length > 0) await projection.project(trx, page.events, tableName(build));
    position = page.position;
  }
  return position;
}
