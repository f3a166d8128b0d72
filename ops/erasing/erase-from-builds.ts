import type { Kysely } from 'kysely';
import { projections } from '../../projections/registry.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import { type ErasableProjection, isErasable } from '../../src/subscriptions/erasable.ts';
import { tableName } from '../../src/subscriptions/projection.ts';
import { dropBuilds, listBuilds, lockBuild } from '../../src/subscriptions/projection-builds.ts';

/**
 * Deletes an organisation's rows from every build whose tables this program knows. Builds kept for
 * a rollback do not follow the log. Another release may have skipped the erasure event in the live
 * build.
 * Drops all other builds. Drops unfinished builds too, since their builder may still write rows
 * that it read before the erasure. The builder then fails with the advice to begin again.
 */
export async function eraseFromBuilds(
  db: Kysely<StoreTables>,
  organisationId: OrganisationId,
): Promise<void> {
  for (const projection of projections.filter(isErasable)) {
    const { version } = projection;
    await dropBuilds(db, projection, (build) => {
      return build.status === 'building' || build.version !== version;
    });
    const known = (await listBuilds(db, projection.name)).filter(
      (build) => build.status !== 'building' && build.version === version,
    );
    for (const { build } of known) await eraseFrom(db, projection, build, organisationId);
  }
}

async function eraseFrom(
  db: Kysely<StoreTables>,
  { name, erase }: ErasableProjection,
  build: number,
  organisationId: OrganisationId,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A build dropped meanwhile holds no rows.
    if ((await lockBuild(trx, name, build)) === null) return;
    await erase(trx, [organisationId], tableName(build));
  });
}
