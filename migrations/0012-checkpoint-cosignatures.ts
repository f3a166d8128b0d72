import { type Kysely, sql } from 'kysely';

/**
 * Cosignatures of witnesses, under the checkpoint that they sign. `vkey` is the key of the witness,
 * `lines` are its lines of the signed note.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE checkpoint_cosignatures (
      number bigint NOT NULL,
      vkey text NOT NULL,
      lines text NOT NULL,
      PRIMARY KEY (number, vkey)
    )`.execute(db);
  await sql`
    CREATE TRIGGER checkpoint_cosignatures_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint_cosignatures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_checkpoints()`.execute(db);
}
