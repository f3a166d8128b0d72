import type { Kysely } from 'kysely';
import { isConnectionLoss } from '../event-store/connection-loss.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { catchUp } from './catch-up.ts';
import { compareTables, type TableDifferences } from './compare-tables.ts';
import { fillBuild } from './fill-build.ts';
import { type Projection, tableName } from './projection.ts';
import { findLiveBuild, listBuilds, lockBuild } from './projection-builds.ts';

export interface Comparison {
  /** Log position at which both builds were compared. */
  readonly position: number;
  /** Differences per table; `first` is the live build. */
  readonly tables: readonly TableDifferences[];
}

interface Comparing {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly projection: Projection;
  readonly build: number;
  readonly mostRows: number;
  readonly showValues?: boolean;
}

/**
 * Compares a build with the live one, row by row, at the same log position. Projectors pause only
 * until both builds are at that position. The comparison then reads a snapshot, however long it
 * takes.
 */
export async function compareBuilds(comparing: Comparing): Promise<Comparison> {
  const { projection, build, mostRows, showValues = false } = comparing;
  const { trx, live, position } = await snapshotAtOnePosition(comparing);
  try {
    const tables: TableDifferences[] = [];
    for (const table of projection.tables) {
      const [first, second] = [tableName(live)(table), tableName(build)(table)];
      tables.push(await compareTables(trx, { table, first, second }, { mostRows, showValues }));
    }
    return { position, tables };
  } finally {
    await trx.rollback().execute();
  }
}

/** Lost connections in a row that end the comparison. */
const mostLosses = 5;

async function snapshotAtOnePosition(comparing: Comparing) {
  const { db, store, projection } = comparing;
  for (let losses = 0; ; ) {
    const snapshot = await holdLive(comparing).catch((error) => {
      losses += 1;
      // PostgreSQL may have ended the session that held the lock: it was idle for too long.
      if (!isConnectionLoss(error) || losses === mostLosses) throw error;
      return null;
    });
    if (typeof snapshot === 'object' && snapshot !== null) return snapshot;
    // The build may be ahead of the live one. If no projector runs, this call folds the live build.
    if (snapshot !== null) {
      await catchUp({ db, store, projections: [projection], position: snapshot });
    }
  }
}

/**
 * Fills the build up to the live one while no projector moves it, and opens a snapshot. Returns the
 * build's position if it is ahead, and null if the live build is another one now.
 */
async function holdLive({ db, store, projection, build }: Comparing) {
  const { name } = projection;
  const opened: Snapshot[] = [];
  try {
    return await db.transaction().execute(async (holding) => {
      const found = await findLiveBuild(holding, name);
      const live = found && (await lockBuild(holding, name, found.build));
      if (live?.status !== 'live') return null;
      const own = (await listBuilds(db, name)).find((one) => one.build === build)?.position ?? 0;
      if (own > live.position) return own;
      await fillBuild({ db, store, projection, build, upTo: live.position });
      const snapshot = await openSnapshot(db, name, { live: live.build, build });
      if (snapshot !== null) opened.push(snapshot);
      return snapshot;
    });
  } catch (error) {
    for (const { trx } of opened) {
      await trx
        .rollback()
        .execute()
        .catch(() => {});
    }
    throw error;
  }
}

type Snapshot = NonNullable<Awaited<ReturnType<typeof openSnapshot>>>;

/** Opens a snapshot in which both builds are at the same position; null if they are not. */
async function openSnapshot(
  db: Kysely<StoreTables>,
  name: string,
  { live, build }: { readonly live: number; readonly build: number },
) {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  const builds = await listBuilds(trx, name);
  const at = (number: number) => builds.find((one) => one.build === number)?.position;
  const position = at(live);
  if (position !== undefined && position === at(build)) return { trx, live, position };
  await trx.rollback().execute();
  return null;
}
