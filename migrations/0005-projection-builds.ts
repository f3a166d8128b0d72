import { type Kysely, sql } from 'kysely';

/**
 * Each build of a projection has its own tables: `<table>_v<build>`. One build is `live`: queries
 * read it. One may be `building`, and earlier ones are `kept`. Tables named after their version are
 * now named after their build.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE checkpoints ADD build integer`.execute(db);
  await sql`ALTER TABLE checkpoints ADD status text`.execute(db);
  await sql`
    UPDATE checkpoints
    SET build = version, status = CASE WHEN live THEN 'live' ELSE 'kept' END`.execute(db);
  await sql`
    ALTER TABLE checkpoints
      DROP CONSTRAINT checkpoints_pkey,
      DROP live,
      ALTER build SET NOT NULL,
      ALTER status SET NOT NULL,
      ADD CHECK (status IN ('live', 'building', 'kept')),
      ADD PRIMARY KEY (name, build)`.execute(db);
  await sql`CREATE UNIQUE INDEX checkpoints_live ON checkpoints (name) WHERE status = 'live'`.execute(
    db,
  );
  await sql`
    CREATE UNIQUE INDEX checkpoints_building ON checkpoints (name)
    WHERE status = 'building'`.execute(db);
}
