import type { Kysely } from 'kysely';
import type { OrganisationId } from '../domain/ulid.ts';
import type { StoreTables } from '../event-store/database.ts';
import { type ErasableProjection, isErasable } from './erasable.ts';
import { type Projection, tableName } from './projection.ts';
import { dropBuilds, listBuilds, lockBuild } from './projection-builds.ts';

/**
 * Deletes organisations' rows from every build whose tables this program knows. Builds kept for
 * a rollback do not follow the log. Another release may have skipped the erasure event in the live
 * build. A live build of another version stays as it is: its own program folds the erasure event.
 * Drops all other builds. Drops unfinished builds too, since their builder may still write rows
 * that it read before the erasure. The builder then fails with the advice to begin again.
 */
export async function eraseFromBuilds(
  db: Kysely<StoreTables>,
  projections: readonly Projection[],
  organisationIds: readonly OrganisationId[],
): Promise<void> {
  for (const projection of projections.filter(isErasable)) {
    const { version } = projection;
    await dropBuilds(db, projection, (build) => {
      return build.status === 'building' || build.version !== version;
    });
    const known = (await listBuilds(db, projection.name)).filter(
      (build) => build.status !== 'building' && build.version === version,
    );
    for (const { build } of known) await eraseFrom(db, projection, build, organisationIds);
  }
}

async function eraseFrom(
  db: Kysely<StoreTables>,
  { name, erase }: ErasableProjection,
  build: number,
  organisationIds: readonly OrganisationId[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A build dropped meanwhile holds no rows.
    if ((await lockBuild(trx, name, build)) === null) return;
    await erase(trx, organisationIds, tableName(build));
  });
}
