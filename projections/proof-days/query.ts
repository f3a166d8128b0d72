import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { ProofDaysTables } from './table.ts';

/** Number of proofs anchored on each day since `first` (UTC, `2026-11-24`); no entry for none. */
export async function queryProofDays(
  db: ReadModels,
  organisationId: OrganisationId,
  first: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .$extendTables<ProofDaysTables>()
    .selectFrom('proof_days')
    .select(['day', 'anchored'])
    .where('organisation_id', '=', organisationId)
    .where('day', '>=', first)
    .execute();
  return new Map(rows.map(({ day, anchored }) => [day, anchored]));
}
