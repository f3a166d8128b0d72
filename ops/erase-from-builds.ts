import type { Kysely } from 'kysely';
import { projections } from '../projections/registry.ts';
import type { OrganisationId } from '../src/domain/ulid.ts';
import type { StoreTables } from '../src/event-store/database.ts';
import { type ErasableProjection, isErasable } from '../src/subscriptions/erasable.ts';
import { tableName } from '../src/subscriptions/projection.ts';
import { dropBuilds, listBuilds, lockBuild } from '../src/subscriptions/projection-builds.ts';

/**
 * Deletes an organisation's rows from builds that do not follow the log. One that is kept for a
 * rollback stays without them, if this program knows its tables; one that is being filled, by who may
 * just be writing what was read before, is dropped: its builder is told to begin again.
 */
export async function eraseFromOtherBuilds(
  db: Kysely<StoreTables>,
  organisationId: OrganisationId,
): Promise<void> {
  for (const projection of projections.filter(isErasable)) {
    const { version } = projection;
    await dropBuilds(db, projection, (build) => {
      return build.status === 'building' || build.version !== version;
    });
    const kept = (await listBuilds(db, projection.name)).filter(({ status }) => status === 'kept');
    for (const { build } of kept) await eraseFrom(db, projection, build, organisationId);
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
