import { type Kysely, sql } from 'kysely';

/**
 * The registration of the person under which a session began: a later registration ends the
 * session. It is null in sessions that an earlier build began, which have ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE console_sessions ADD COLUMN registration integer`.execute(db);
}
