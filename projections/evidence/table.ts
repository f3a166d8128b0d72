import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * - `evidence_ledgers` has a row for each ledger with a proof of ours, or with signatures of its
 *   validators. `proven_hash` is the hash of the ledger in which proofs were anchored, `attested_hash`
 *   that of the signed ledger. `is_disputed`: proofs were anchored in two ledgers of the same index.
 * - `bare_certificates` has a row for each proof whose newest certificate lacks signatures. Its
 *   successor `is_due` once the ledger is attested. Certificates that name no ledger are left out:
 *   they were issued before any had signatures.
 */
export type EvidenceTables = {
  evidence_ledgers: {
    ledger_id: string;
    ledger_index: number;
    proven_hash: Buffer | null;
    attested_hash: Buffer | null;
    is_disputed: boolean;
  };
  bare_certificates: {
    proof_id: string;
    organisation_id: string;
    ledger_id: string;
    ledger_index: number;
    is_due: boolean;
  };
};

export const evidenceTables: readonly (keyof EvidenceTables)[] = [
  'evidence_ledgers',
  'bare_certificates',
];

export async function createEvidenceTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('evidence_ledgers'))} (
      ledger_id text COLLATE "C" NOT NULL,
      ledger_index bigint NOT NULL,
      proven_hash bytea,
      attested_hash bytea,
      is_disputed boolean NOT NULL,
      PRIMARY KEY (ledger_id, ledger_index)
    ) WITH (fillfactor = 70)`.execute(trx);
  const certificates = sql.table(named('bare_certificates'));
  await sql`
    CREATE TABLE ${certificates} (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      ledger_id text COLLATE "C" NOT NULL,
      ledger_index bigint NOT NULL,
      is_due boolean NOT NULL,
      UNIQUE (ledger_id, ledger_index, proof_id)
    )`.execute(trx);
  await sql`CREATE INDEX ON ${certificates} (organisation_id)`.execute(trx);
  await sql`CREATE INDEX ON ${certificates} (proof_id) WHERE is_due`.execute(trx);
}
