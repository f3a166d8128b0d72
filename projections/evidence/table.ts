import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * - `evidence_ledgers` has a row for each ledger index with a proof of ours, or with signatures of
 *   validators. `proven_hash` is the hash of the ledger in which the first proof was anchored,
 *   `attested_hash` that of the signed ledger.
 * - `divergent_proofs` has a row for each proof whose ledger has another hash than `proven_hash`: a
 *   server showed a forged ledger for one of them.
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
  };
  divergent_proofs: {
    proof_id: string;
    organisation_id: string;
    ledger_hash: Buffer;
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
  'divergent_proofs',
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
      PRIMARY KEY (ledger_id, ledger_index)
    ) WITH (fillfactor = 70)`.execute(trx);
  const divergent = sql.table(named('divergent_proofs'));
  await sql`
    CREATE TABLE ${divergent} (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      ledger_hash bytea NOT NULL
    )`.execute(trx);
  await sql`CREATE INDEX ON ${divergent} (organisation_id)`.execute(trx);
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
