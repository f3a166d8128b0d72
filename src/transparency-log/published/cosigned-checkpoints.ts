import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';
import { isVerifiable, readWitnessKey } from '../../verifier/log/note-key.ts';
import {
  mostSignatures,
  readSignatureLines,
  readSignedNote,
} from '../../verifier/log/signed-note.ts';
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

/** The newest published checkpoints up to a number, the newest first. */
export function recentCosigned(
  db: CosignedHistory,
  limit: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<readonly CosignedCheckpoint[]> {
  return readCosigned(
    db,
    sql`SELECT number, note, vkeys, origin, size FROM published_checkpoints
        WHERE number <= ${upTo} ORDER BY number DESC LIMIT ${limit}`,
  );
}

/** The published ones of these checkpoints, the newest first. */
export function findCosigned(
  db: CosignedHistory,
  checkpoints: readonly Pick<PublishedCheckpoint, 'origin' | 'size'>[],
): Promise<readonly CosignedCheckpoint[]> {
  const origins = checkpoints.map(({ origin }) => origin);
  const sizes = checkpoints.map(({ size }) => size);
  return readCosigned(
    db,
    sql`SELECT number, note, vkeys, origin, size FROM published_checkpoints
        WHERE (origin, size) IN (SELECT * FROM unnest(${origins}::text[], ${sizes}::bigint[]))`,
  );
}

/** Reads the cosignatures of the checkpoints that a query finds. */
async function readCosigned(
  db: CosignedHistory,
  published: RawBuilder<unknown>,
): Promise<readonly CosignedCheckpoint[]> {
  const { rows } = await sql<Omit<CosignedCheckpoint, 'vkeys'> & { readonly vkeys: string }>`
    SELECT p.*, coalesce(
      (SELECT json_agg(json_build_object('vkey', c.vkey, 'lines', c.lines) ORDER BY c.vkey)
       FROM checkpoint_cosignatures c WHERE c.number = p.number), '[]') AS cosignatures
    FROM (${published}) p
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
 * The note with as many cosignatures as fit. The signatures of the log come first, then cosignatures
 * of types that are verified here, then others, which may be anything; each the shortest first. So a
 * witness with long lines never takes the place of others.
 */
export function cosignedNote({ note, cosignatures }: CosignedCheckpoint): string {
  let whole = note;
  let signatures = readSignedNote(note)?.signatures.length ?? 0;
  const rank = (vkey: string) => {
    const key = readWitnessKey(vkey);
    return key !== null && isVerifiable(key) ? 0 : 1;
  };
  const ordered = cosignatures.toSorted(
    (a, b) => rank(a.vkey) - rank(b.vkey) || a.lines.length - b.lines.length,
  );
  for (const { lines } of ordered) {
    const count = readSignatureLines(lines)?.length ?? mostSignatures;
    if (whole.length + lines.length > mostCharacters || signatures + count > mostSignatures)
      continue;
    whole += lines;
    signatures += count;
  }
  return whole;
}
