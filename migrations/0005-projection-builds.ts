import { type Kysely, sql } from 'kysely';

/**
 * A projection has tables of its own for each time that it was built: `<table>_v<build>`. Of its
 * builds one is `live`, which is what queries read; one may be `building`, and the ones before are
 * `kept`. What was called after the version before is so called after its build.
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
