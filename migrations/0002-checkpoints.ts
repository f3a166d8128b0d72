import { type Kysely, sql } from 'kysely';

/**
 * How far each reader of the log has come. For a projection, `live` marks the version that queries
 * read. `state` is what a reactor needs besides the position to go on from there (JSON).
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
