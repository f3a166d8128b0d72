import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** `day` is a date in UTC, `2026-11-24`. A day without proofs has no row. */
export type ProofDaysTables = {
  proof_days: { organisation_id: string; day: string; anchored: number };
};

export const proofDaysTables: readonly (keyof ProofDaysTables)[] = ['proof_days'];

export async function createProofDaysTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('proof_days'))} (
      organisation_id text NOT NULL,
      day text NOT NULL,
      anchored integer NOT NULL,
      PRIMARY KEY (organisation_id, day)
    )`.execute(trx);
}
