import { type Kysely, sql } from 'kysely';

/**
 * Log position of each reader of the log. For a projection, `live` marks the version that queries
 * read. `state` (JSON) is the further state that a reactor needs to continue from there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE checkpoints (
      name text NOT NULL,
      version integer NOT NULL,
      position bigint NOT NULL,
      live boolean NOT NULL,
      state text,
      PRIMARY KEY (name, version)
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX checkpoints_live ON checkpoints (name) WHERE live`.execute(db);
}
