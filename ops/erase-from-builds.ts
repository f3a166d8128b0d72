import type { Kysely } from 'kysely';
import { projections } from '../projections/registry.ts';
import type { OrganisationId } from '../src/domain/ulid.ts';
import type { StoreTables } from '../src/event-store/database.ts';
import { type ErasableProjection, isErasable } from '../src/subscriptions/erasable.ts';
import { tableName } from '../src/subscriptions/projection.ts';
import { dropBuilds, listBuilds, lockBuild } from '../src/subscriptions/projection-builds.ts';

/**
 * Deletes an organisation's rows from every build that this program knows the tables of: from those that
 * are kept for a rollback, which do not follow the log, and once more from the live one, should another
 * release have passed over the event by which they go. Others are dropped; one that is being filled,
 * by who may just be writing what was read before, too: its builder is told to begin again.
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
    // Dropped meanwhile, it holds nothing.
    if ((await lockBuild(trx, name, build)) === null) return;
    await erase(trx, [organisationId], tableName(build));
  });
}
