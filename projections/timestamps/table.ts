import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * - `timestamps` has a row for each checkpoint with a time-stamp token. The token itself stays in the
 *   log. A checkpoint of an earlier epoch covers the same events as one of the same size later.
 * - `unstamped_certificates` has a row for each proof whose newest certificate lacks a token, as long
 *   as it gets a successor by itself.
 */
export type TimestampsTables = {
  timestamps: {
    size: number;
    /** Name of the log in the checkpoint. */
    origin: string;
    /** Stream whose only event has the token. */
    stream: string;
  };
  unstamped_certificates: {
    proof_id: string;
    organisation_id: string;
    /** Position of the Anchored event. */
    position: number;
    issued_at: Date;
  };
};

export const timestampsTables: readonly (keyof TimestampsTables)[] = [
  'timestamps',
  'unstamped_certificates',
];

export async function createTimestampsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('timestamps'))} (
      size bigint NOT NULL,
      origin text COLLATE "C" NOT NULL,
      stream text NOT NULL,
      PRIMARY KEY (size, origin)
    )`.execute(trx);
  const certificates = sql.table(named('unstamped_certificates'));
  await sql`
    CREATE TABLE ${certificates} (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      issued_at timestamptz NOT NULL
    )`.execute(trx);
  await sql`CREATE INDEX ON ${certificates} (organisation_id)`.execute(trx);
  await sql`CREATE INDEX ON ${certificates} (position)`.execute(trx);
  await sql`CREATE INDEX ON ${certificates} (issued_at)`.execute(trx);
}
