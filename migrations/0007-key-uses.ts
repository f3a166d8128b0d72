import { type Kysely, sql } from 'kysely';

/**
 * Time of the last use of each API key, by the database's clock. Written some seconds after the
 * use.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE key_uses (
      key_id text COLLATE "C" PRIMARY KEY,
      last_used_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`.execute(db);
}
