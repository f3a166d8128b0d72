import { type Kysely, sql } from 'kysely';

/** When each API key was last used, by the database's clock; written some seconds later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE key_uses (
      key_id text COLLATE "C" PRIMARY KEY,
      last_used_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`.execute(db);
}
