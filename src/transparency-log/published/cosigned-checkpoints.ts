import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';
import { mostSignatures, parseNote, parseSignatureLines } from '../checkpoint/signed-note.ts';
import type { PublishedCheckpoint } from './published-checkpoints.ts';

/** Published checkpoints and the cosignatures of their witnesses. Rows are added, never changed. */
export type CosignedHistory = Kysely<
  Pick<StoreTables, 'published_checkpoints' | 'checkpoint_cosignatures'>
>;

/** A published checkpoint with the cosignatures on record. */
export interface CosignedCheckpoint extends PublishedCheckpoint {
  readonly cosignatures: readonly {
    /** Key of the witness. */
    readonly vkey: string;
    /** Its lines of the signed note, each with its newline. */
    readonly lines: string;
  }[];
}

/** The newest published checkpoints, the newest first. */
export async function recentCosigned(
  db: CosignedHistory,
  limit: number,
): Promise<readonly CosignedCheckpoint[]> {
  const { rows } = await sql<Omit<CosignedCheckpoint, 'vkeys'> & { readonly vkeys: string }>`
    SELECT p.*, coalesce(
      (SELECT json_agg(json_build_object('vkey', c.vkey, 'lines', c.lines) ORDER BY c.vkey)
       FROM checkpoint_cosignatures c WHERE c.number = p.number), '[]') AS cosignatures
    FROM (SELECT number, note, vkeys, origin, size FROM published_checkpoints
          ORDER BY number DESC LIMIT ${limit}) p
    ORDER BY p.number DESC`.execute(db);
  return rows.map((row) => ({ ...row, vkeys: row.vkeys.split(' ') }));
}

/** Records the cosignature of a witness, once for each checkpoint. It is durable on resolving. */
export async function addCosignature(
  db: CosignedHistory,
  {
    number,
    vkey,
    lines,
  }: { readonly number: number; readonly vkey: string; readonly lines: string },
): Promise<void> {
  await db
    .insertInto('checkpoint_cosignatures')
    .values({ number, vkey, lines })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Longest note that a bundle can hold. */
const mostCharacters = 8_192;

/**
 * The note with as many cosignatures as fit, the shortest first: a witness with long lines never
 * takes the place of others. The signatures of the log come before them.
 */
export function cosignedNote({ note, cosignatures }: CosignedCheckpoint): string {
  let whole = note;
  let signatures = parseNote(note)?.signatures.length ?? 0;
  const shortestFirst = cosignatures.toSorted((a, b) => a.lines.length - b.lines.length);
  for (const { lines } of shortestFirst) {
    const count = parseSignatureLines(lines)?.length ?? mostSignatures;
    if (whole.length + lines.length > mostCharacters || signatures + count > mostSignatures)
      continue;
    whole += lines;
    signatures += count;
  }
  return whole;
}
