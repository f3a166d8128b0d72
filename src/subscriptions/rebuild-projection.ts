import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { makeIndexes, setIndexesAside } from './build-indexes.ts';
import { catchUp } from './catch-up.ts';
import { type Comparison, compareBuilds } from './compare-builds.ts';
import { fillBuild } from './fill-build.ts';
import type { Projection } from './projection.ts';
import {
  addBuild,
  type Build,
  dropBuilds,
  findLiveBuild,
  listBuilds,
  lockBuilds,
} from './projection-builds.ts';
import { BuildAhead, swapBuild } from './swap-build.ts';
import type { WorkLocks } from './work-locks.ts';

export interface Rebuilding {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly locks: WorkLocks;
  readonly projection: Projection;
  /** As of `fillBuild`. */
  readonly pageSize?: number;
  readonly cancelled?: AbortSignal | undefined;
  /** Told often; `position` of the log is folded. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly phase: 'reading' | 'indexing' | 'comparing' | 'swapping';
  readonly position: number;
}

export interface RebuildOptions {
  /** Goes on with a build that was broken off, which must be of the very same code. */
  readonly resume?: boolean;
  /** Swaps also where the new rows are not the live ones. */
  readonly acceptDifferences?: boolean;
  /** How many of the rows that differ are told, of each table (default 10). */
  readonly mostRows?: number;
  readonly showValues?: boolean;
}

export interface Rebuilt {
  /** With `different` nothing was swapped, and the new build stays for a resumption. */
  readonly outcome: 'swapped' | 'different';
  readonly build: number;
  readonly position: number;
  readonly comparison: Comparison;
}

/** Somebody else rebuilds it, or rolls it back. */
export class RebuildUnderWay extends Error {
  constructor(name: string) {
    super(`the projection ${name} is being rebuilt, or rolled back, by another process`);
    this.name = 'RebuildUnderWay';
  }
}

/** Nothing is to be done about it with this program. */
export class OtherVersion extends Error {
  constructor(name: string, live: number, own: number) {
    const what = `version ${live} of the projection ${name} is live, and this program has version ${own}`;
    super(
      own > live
        ? `${what}: start the service of this program, which builds it and lets it go live`
        : `${what}: use the program that the service runs`,
    );
    this.name = 'OtherVersion';
  }
}

/**
 * Builds a projection anew beside its live build, compares the two at one position and swaps them,
 * while the service runs. The one that was live is kept for a rollback, what was kept before is
 * dropped. Broken off at any point, it leaves the live build alone. Rejects with `RebuildUnderWay`
 * and `OtherVersion`.
 */
export async function rebuildProjection(
  rebuilding: Rebuilding,
  options: RebuildOptions = {},
): Promise<Rebuilt> {
  const { db, projection, onProgress, cancelled } = rebuilding;
  const { resume = false, acceptDifferences = false, mostRows = 10, showValues = false } = options;
  return withRebuildLock(rebuilding, async () => {
    const live = await findLiveBuild(db, projection.name);
    if (live !== null && live.version !== projection.version) {
      throw new OtherVersion(projection.name, live.version, projection.version);
    }
    const build = await fillAnew(rebuilding, { resume });
    onProgress?.({ phase: 'comparing', position: await followLive(rebuilding, build) });
    const comparison = await compareBuilds({ ...rebuilding, build, mostRows, showValues });
    const differs = comparison.tables.some(
      ({ count, columns }) => count + columns.first.length + columns.second.length > 0,
    );
    if (differs && !acceptDifferences) {
      return { outcome: 'different', build, position: comparison.position, comparison };
    }
    cancelled?.throwIfAborted();
    return { outcome: 'swapped', build, position: await goLive(rebuilding, build), comparison };
  });
}

/** Nobody else builds or swaps this projection while `work` is under way. */
export async function withRebuildLock<Result>(
  { locks, projection: { name } }: Pick<Rebuilding, 'locks' | 'projection'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = rebuildLock(name);
  if ((await locks.hold(lock)) === null) throw new RebuildUnderWay(name);
  try {
    return await work();
  } finally {
    await locks.release(lock).catch(() => {});
  }
}

export function rebuildLock(name: string): string {
  return `rebuild ${name}`;
}

/**
 * A build that holds the log as far as the live one, with all its indexes; up to its head if it may
 * lead. One that was broken off before is dropped first, unless it is to be resumed.
 */
export async function fillAnew(
  rebuilding: Rebuilding,
  { resume = false, mayLead = false } = {},
): Promise<number> {
  const { db, projection, onProgress } = rebuilding;
  const { name, version } = projection;
  const open = (await listBuilds(db, name)).find(isBuilding);
  const mayResume = resume && open?.version === version;
  if (!mayResume) await dropBuilds(db, projection, isBuilding);
  const build = mayResume ? open.build : await begin(rebuilding);
  const onPosition = (position: number) => onProgress?.({ phase: 'reading', position });
  const told = { ...rebuilding, onPosition };
  const fill = () => (mayLead ? fillBuild({ ...told, build }) : followLive(told, build));
  onProgress?.({ phase: 'indexing', position: await fill() });
  await makeIndexes(db, projection, build);
  await fill();
  return build;
}

/**
 * Folds into a build what the live one has. Not more: the live one would have to come there first,
 * which may take long where the log grows as fast as it can be folded.
 */
async function followLive(rebuilding: Rebuilding, build: number): Promise<number> {
  const live = await findLiveBuild(rebuilding.db, rebuilding.projection.name);
  return fillBuild({ ...rebuilding, build, upTo: live?.position ?? 0 });
}

/** Swaps, and drops what was kept before. Returns the position at which it went live. */
export async function goLive(
  rebuilding: Rebuilding,
  build: number,
  { mayLead = false } = {},
): Promise<number> {
  const { db, store, projection, onProgress } = rebuilding;
  for (;;) {
    const reached = await followLive(rebuilding, build);
    onProgress?.({ phase: 'swapping', position: reached });
    try {
      const { position, before } = await swapBuild({ ...rebuilding, build, mayLead });
      await dropBuilds(db, projection, (one) => isKept(one) && one.build !== before);
      return position;
    } catch (error) {
      if (!(error instanceof BuildAhead)) throw error;
      await catchUp({ db, store, projections: [projection], position: error.position });
    }
  }
}

async function begin({ db, projection }: Rebuilding): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockBuilds(trx, projection.name);
    const builds = await listBuilds(trx, projection.name);
    const build = 1 + Math.max(0, ...builds.map((one) => one.build));
    await addBuild(trx, projection, { build, status: 'building' });
    await setIndexesAside(trx, projection, build);
    return build;
  });
}

function isBuilding({ status }: Build): boolean {
  return status === 'building';
}

function isKept({ status }: Build): boolean {
  return status === 'kept';
}
