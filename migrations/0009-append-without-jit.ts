import { type Kysely, sql } from 'kysely';

/**
 * Switches JIT compilation off for the statements of `append_events`. Before version 18 PostgreSQL
 * counts a scan that `enable_seqscan = off` forbids as very costly. It compiles such statements for
 * hundreds of milliseconds, under the lock of the log's head.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER FUNCTION append_events(
      integer[], text[], integer[],
      integer[], text[], text[], integer[], text[], text[], integer[], text[], text[], text[], bytea[]
    ) SET jit = off`.execute(db);
}
