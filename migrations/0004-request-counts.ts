import { type Kysely, sql } from 'kysely';

/**
 * Number of calls of each caller (`subject`) in its minute and its day, which begin with the first
 * call counted. Times are in milliseconds since 1970, by the database's clock. The limits are those
 * of the latest call. `granted` is the number of calls that the latest statement accepted. The
 * table is unlogged: after a crash of PostgreSQL all counts restart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE request_counts (
      subject text COLLATE "C" PRIMARY KEY,
      minute_limit bigint NOT NULL,
      day_limit bigint NOT NULL,
      minute_from bigint NOT NULL,
      minute_used bigint NOT NULL,
      day_from bigint NOT NULL,
      day_used bigint NOT NULL,
      granted bigint NOT NULL
    ) WITH (
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
}
