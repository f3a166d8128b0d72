import { type Kysely, sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import { type Projection, tableName } from './projection.ts';
import { findViewOwner } from './view-owner.ts';

/**
 * One set of a projection's tables, `<table>_v<build>`. One build of a projection is live: queries
 * read it and projectors write it. Only its builder uses a build that is being built. Earlier
 * builds are kept as they were when another build replaced them.
 */
export interface Build {
  readonly build: number;
  /** Version of the projection's code that wrote the build. */
  readonly version: number;
  readonly status: 'live' | 'building' | 'kept';
  /** Log position of the last event folded into the build. */
  readonly position: number;
}

type Reader = Kysely<StoreTables> | Transaction<StoreTables>;

/** All builds of a projection, the oldest first. */
export async function listBuilds(db: Reader, name: string): Promise<readonly Build[]> {
  return builds(db, name).orderBy('build').execute();
}

/** The build that queries read; null for a projection that was never prepared. */
export async function findLiveBuild(db: Reader, name: string): Promise<Build | null> {
  return (await builds(db, name).where('status', '=', 'live').executeTakeFirst()) ?? null;
}

/** Locks a build's checkpoint, waiting if necessary; null if the build no longer exists. */
export async function lockBuild(
  trx: Transaction<StoreTables>,
  name: string,
  build: number,
): Promise<Build | null> {
  const row = await builds(trx, name).where('build', '=', build).forUpdate().executeTakeFirst();
  return row ?? null;
}

export async function saveBuild(
  trx: Transaction<StoreTables>,
  name: string,
  build: number,
  change: Partial<Pick<Build, 'position' | 'status'>>,
): Promise<void> {
  await trx
    .updateTable('checkpoints')
    .set(change)
    .where('name', '=', name)
    .where('build', '=', build)
    .execute();
}

/** Creates the empty tables of a build and its checkpoint. Call under `lockBuilds`. */
export async function addBuild(
  trx: Transaction<StoreTables>,
  { name, version, tables, create }: Projection,
  { build, status }: Pick<Build, 'build' | 'status'>,
): Promise<void> {
  const named = tableName(build);
  await create(trx, named);
  const owner = await findViewOwner(trx, tables);
  if (owner !== null) {
    for (const table of tables) {
      await sql`ALTER TABLE ${sql.id(named(table))} OWNER TO ${sql.id(owner)}`.execute(trx);
    }
  }
  const row = { name, build, version, status, position: 0, state: null };
  await trx.insertInto('checkpoints').values(row).execute();
}

/**
 * Drops builds that are not live, with their tables and data. No query reads them. A builder whose
 * build is gone stops.
 */
export async function dropBuilds(
  db: Kysely<StoreTables>,
  projection: Pick<Projection, 'name' | 'tables'>,
  which: (build: Build) => boolean,
): Promise<void> {
  const { name, tables } = projection;
  for (const build of await listBuilds(db, name)) {
    if (build.status === 'live' || !which(build)) continue;
    await db.transaction().execute(async (trx) => {
      // Lock the build, and drop it only if it did not go live meanwhile.
      const locked = await lockBuild(trx, name, build.build);
      if (locked === null || locked.status === 'live') return;
      const named = tableName(build.build);
      for (const table of tables) {
        await sql`DROP TABLE IF EXISTS ${sql.table(named(table))}`.execute(trx);
      }
      await trx
        .deleteFrom('checkpoints')
        .where('name', '=', name)
        .where('build', '=', build.build)
        .execute();
    });
  }
}

/** Keeps other transactions from adding a build of this projection until this one ends. */
export async function lockBuilds(trx: Transaction<StoreTables>, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('projection ' || ${name}))`.execute(trx);
}

function builds(db: Reader, name: string) {
  return db
    .selectFrom('checkpoints')
    .select(['build', 'version', 'status', 'position'])
    .where('name', '=', name);
}
