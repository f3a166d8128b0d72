import { sql } from 'kysely';
import type { Anchored } from '../../src/domain/proof/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createProofDaysTables, type ProofDaysTables, proofDaysTables } from './table.ts';

/** Number of anchored proofs of each organisation, by the day (UTC) of the record. */
export const proofDays: ErasableProjection = erasable({
  name: 'proof-days',
  version: 1,
  types: ['Anchored'] satisfies Anchored['type'][],
  tables: proofDaysTables,
  fields: { Anchored: ['ledgerId'] },
  create: createProofDaysTables,
  async project(trx, events, named) {
    const counts = new Map<string, { organisationId: string; day: string; anchored: number }>();
    for (const { organisationId, recordedAt } of events as readonly StoredEvent<Anchored>[]) {
      if (organisationId === null) continue;
      const day = recordedAt.slice(0, 10);
      const before = counts.get(`${organisationId} ${day}`)?.anchored ?? 0;
      counts.set(`${organisationId} ${day}`, { organisationId, day, anchored: before + 1 });
    }
    const rows = [...counts.values()];
    await sql`
      INSERT INTO ${sql.table(named('proof_days'))} AS old (organisation_id, day, anchored)
      SELECT * FROM unnest(
        ${rows.map((row) => row.organisationId)}::text[],
        ${rows.map((row) => row.day)}::text[],
        ${rows.map((row) => row.anchored)}::integer[]
      )
      ON CONFLICT (organisation_id, day) DO UPDATE SET
        anchored = old.anchored + excluded.anchored`.execute(trx);
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<ProofDaysTables>()
      .deleteFrom(named('proof_days'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
