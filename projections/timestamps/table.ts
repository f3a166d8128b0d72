import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** Checkpoints with a time-stamp token. The token itself stays in the log. */
export type TimestampsTables = {
  timestamps: {
    /** Name of the log in the checkpoint. */
    origin: string;
    size: number;
    /** Stream whose only event has the token. */
    stream: string;
  };
};

export const timestampsTables: readonly (keyof TimestampsTables)[] = ['timestamps'];

export async function createTimestampsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('timestamps'))} (
      origin text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      stream text NOT NULL,
      PRIMARY KEY (origin, size)
    )`.execute(trx);
}
