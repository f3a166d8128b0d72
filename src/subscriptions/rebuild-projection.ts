import type { Kysely } from 'kysely';
import { OperatorError } from '../errors/operator-error.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { makeIndexes, setIndexesAside } from './build-indexes.ts';
import { catchUp } from './catch-up.ts';
import { type Comparison, compareBuilds } from './compare-builds.ts';
import { type BuildReaders, fillBuild } from './fill-build.ts';
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
  /** As in `fillBuild`. */
  readonly pageSize?: number;
  /** As in `fillBuild`. */
  readonly readers?: BuildReaders | undefined;
  readonly cancelled?: AbortSignal | undefined;
  /** Called often; the log is folded up to `position`. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly phase: 'reading' | 'indexing' | 'comparing' | 'swapping';
  readonly position: number;
}

export interface RebuildOptions {
  /** Resumes an interrupted build, which must come from the very same code. */
  readonly resume?: boolean;
  /** Swaps even if the new rows differ from the live ones. */
  readonly acceptDifferences?: boolean;
  /** Maximum differing rows to return per table (default 10). */
  readonly mostRows?: number;
  readonly showValues?: boolean;
}

export interface Rebuilt {
  /** `different`: nothing was swapped, and the new build stays so that it can be resumed. */
  readonly outcome: 'swapped' | 'different';
  readonly build: number;
  readonly position: number;
  readonly comparison: Comparison;
}

/** Another process is rebuilding the projection or rolling it back. */
export class RebuildUnderWay extends OperatorError {
  constructor(name: string) {
    super(
      `the projection ${name} is being rebuilt or rolled back by another process: wait until it has finished`,
    );
  }
}

/** The live build has another version than this program. */
export class OtherVersion extends OperatorError {
  constructor(name: string, live: number, own: number) {
    const what = `version ${live} of the projection ${name} is live, but this release has version ${own}`;
    super(
      own > live
        ? `${what}: start the service of this release, which builds the new version and makes it live`
        : `${what}: use the ops command of the release that the service runs`,
    );
  }
}

/**
 * Rebuilds a projection beside its live build, compares both at one position and swaps them, while
 * the service runs. Keeps the replaced build for a rollback, or that of another release, and drops
 * the others. An interruption at any point leaves the live build unchanged. Rejects with `RebuildUnderWay` and
 * `OtherVersion`.
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

/** Keeps other processes from building or swapping this projection during `work`. */
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
 * Returns a build filled as far as the live one, with all its indexes; up to the head if it may
 * lead. Drops an interrupted build first, unless it is to be resumed.
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
  const observed = { ...rebuilding, onPosition };
  const fill = () => (mayLead ? fillBuild({ ...observed, build }) : followLive(observed, build));
  onProgress?.({ phase: 'indexing', position: await fill() });
  await makeIndexes(db, projection, build);
  await fill();
  return build;
}

/**
 * Folds the log into a build up to the live build's position, and no further. The live build would
 * have to catch up first, which may take long if the log grows as fast as it is folded.
 */
async function followLive(rebuilding: Rebuilding, build: number): Promise<number> {
  const live = await findLiveBuild(rebuilding.db, rebuilding.projection.name);
  return fillBuild({ ...rebuilding, build, upTo: live?.position ?? 0 });
}

/**
 * Swaps the builds, and keeps one other. Returns the position at which the build went live.
 */
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
      const kept = keptAfter(await listBuilds(db, projection.name), before, projection.version);
      await dropBuilds(db, projection, (one) => isKept(one) && one.build !== kept);
      return position;
    } catch (error) {
      if (!(error instanceof BuildAhead)) throw error;
      await catchUp({ db, store, projections: [projection], position: error.position });
    }
  }
}

/**
 * The build that is kept after a swap. The way back to the release before is worth more than the
 * replaced build of this version, which can be built anew.
 */
function keptAfter(
  builds: readonly Build[],
  replaced: number | null,
  version: number,
): number | null {
  const isOwn = (one: Build) => one.version === version;
  if (!builds.some((one) => one.build === replaced && isOwn(one))) return replaced;
  return builds.findLast((one) => isKept(one) && !isOwn(one))?.build ?? replaced;
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
