import { type Kysely, sql } from 'kysely';

/**
 * Every checkpoint of the log that was published, numbered without gaps. All that a row says is
 * signed: origin and size are the note's own first lines, `vkeys` are the keys (separated by spaces)
 * that its signatures are of.
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
