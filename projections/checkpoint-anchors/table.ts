import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** Checkpoints of the log that are on the ledger, one row for about every hour. */
export type CheckpointAnchorsTables = {
  checkpoint_anchors: {
    /** Name of the log in the checkpoint. */
    origin: string;
    size: number;
    root_hash: Buffer;
    /** Position of the event in the log, by which the anchors are ordered. */
    position: number;
    ledger_id: string;
    transaction_hash: Buffer;
    ledger_index: number;
    /** Close time of the ledger, ISO 8601. */
    closed_at: string;
  };
};

export const checkpointAnchorsTables: readonly (keyof CheckpointAnchorsTables)[] = [
  'checkpoint_anchors',
];

export async function createCheckpointAnchorsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('checkpoint_anchors'))} (
      origin text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      root_hash bytea NOT NULL,
      position bigint NOT NULL UNIQUE,
      ledger_id text NOT NULL,
      transaction_hash bytea NOT NULL,
      ledger_index bigint NOT NULL,
      closed_at text NOT NULL,
      PRIMARY KEY (origin, size)
    )`.execute(trx);
}
