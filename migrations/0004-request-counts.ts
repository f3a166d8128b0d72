import { type Kysely, sql } from 'kysely';

/**
 * How many calls each caller (`subject`) has made in its minute and its day, which begin with the
 * first call counted. Times in milliseconds since 1970, by the database's clock. The limits are those
 * of the latest call; `granted` is how many calls the latest statement let through. Unlogged: after a
 * crash of PostgreSQL everybody begins anew.
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
