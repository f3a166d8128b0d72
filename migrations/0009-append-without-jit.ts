import { type Kysely, sql } from 'kysely';

/**
 * Keeps the statements of `append_events` from being compiled. Before version 18 PostgreSQL counts a
 * scan that `enable_seqscan = off` forbids as very costly, and compiles costly statements for hundreds
 * of milliseconds, under the lock of the log's head.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER FUNCTION append_events(
      integer[], text[], integer[],
      integer[], text[], text[], integer[], text[], text[], integer[], text[], text[], text[], bytea[]
    ) SET jit = off`.execute(db);
}
