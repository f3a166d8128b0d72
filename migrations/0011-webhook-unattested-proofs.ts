import { type Kysely, sql } from 'kysely';

/**
 * Anchored proofs of organisations with webhook endpoints, until the signatures of their ledger's
 * validators are on record and `proof.attested` is enqueued. `position` is that of the anchoring.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhook_unattested_proofs (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      ledger_id text COLLATE "C" NOT NULL,
      ledger_index bigint NOT NULL,
      ledger_hash text COLLATE "C" NOT NULL,
      position bigint NOT NULL
    )`.execute(db);
  await sql`
    CREATE INDEX ON webhook_unattested_proofs (ledger_id, ledger_index)`.execute(db);
  await sql`CREATE INDEX ON webhook_unattested_proofs (organisation_id)`.execute(db);
}
