import { type Kysely, sql } from 'kysely';

/**
 * Every published checkpoint of the log, numbered without gaps. Origin and size are the first lines
 * of the signed note. `vkeys` are the keys of its signatures, separated by spaces.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE published_checkpoints (
      number bigint PRIMARY KEY CHECK (number >= 1),
      note text NOT NULL,
      vkeys text NOT NULL,
      origin text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(note, E'\n', 1)) STORED,
      size bigint NOT NULL GENERATED ALWAYS AS (split_part(note, E'\n', 2)::bigint) STORED,
      UNIQUE (origin, size)
    )`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change_of_checkpoints() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'checkpoints are append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER published_checkpoints_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON published_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_checkpoints()`.execute(db);
}
