import { type Kysely, sql } from 'kysely';

/**
 * Sessions of people in the console, and challenges that a passkey is to sign. Tokens are stored as
 * their SHA-256 only. Both tables are unlogged: they are in no WAL, standby or base backup, so a
 * restored database never holds a session that had ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE console_sessions (
      token_hash text COLLATE "C" PRIMARY KEY,
      organisation_id text NOT NULL,
      person_id text NOT NULL,
      started_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX ON console_sessions (organisation_id, person_id)`.execute(db);
  await sql`CREATE INDEX ON console_sessions (expires_at)`.execute(db);
  await sql`
    CREATE UNLOGGED TABLE console_challenges (
      challenge_hash text COLLATE "C" PRIMARY KEY,
      purpose text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX ON console_challenges (expires_at)`.execute(db);
}
