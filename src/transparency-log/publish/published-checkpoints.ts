import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';

/** A checkpoint as it was published. */
export interface PublishedCheckpoint {
  /** From 1 on without gaps, in the order of publishing, across epochs. */
  readonly number: number;
  readonly note: string;
  /** The keys that signed it. */
  readonly vkeys: readonly string[];
  /** What the note says: the name of the log, and how many events its tree covers. */
  readonly origin: string;
  readonly size: number;
}

/** The history of what was published of the log. Rows are added, and never changed. */
export type CheckpointHistory = Kysely<Pick<StoreTables, 'published_checkpoints'>>;

/** The checkpoint that was published last; null if none was. */
export async function lastPublished(db: CheckpointHistory): Promise<PublishedCheckpoint | null> {
  const row = await db
    .selectFrom('published_checkpoints')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : parse(row);
}

/** Those after a number, in order: at most `limit`. */
export async function listPublished(
  db: CheckpointHistory,
  after: number,
  limit: number,
): Promise<readonly PublishedCheckpoint[]> {
  const rows = await db
    .selectFrom('published_checkpoints')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(parse);
}

/**
 * Lists the keys that have signed published checkpoints: each set that signed together, the last to sign
 * first. Rows are added and never changed, so the returned function looks at each row once. Calls that
 * come while it does so share the answer.
 */
export function createSigningKeys(
  db: CheckpointHistory,
): () => Promise<readonly (readonly string[])[]> {
  const lastSigned = new Map<string, number>();
  const readOn = async () => {
    const { rows } = await sql<{ vkeys: string; number: number }>`
      SELECT vkeys, max(number) AS number FROM published_checkpoints
      WHERE number > ${Math.max(0, ...lastSigned.values())} GROUP BY vkeys`.execute(db);
    for (const { vkeys, number } of rows) lastSigned.set(vkeys, number);
  };
  let reading: Promise<void> | null = null;
  return async () => {
    reading ??= readOn().finally(() => {
      reading = null;
    });
    await reading;
    const sets = [...lastSigned].sort(([, one], [, other]) => other - one);
    return sets.map(([vkeys]) => vkeys.split(' '));
  };
}

/**
 * Adds the next checkpoint. It is published, and durable, when this resolves with true; false, and
 * nothing is added, if `number` is not the next one: somebody else has published meanwhile.
 */
export async function addPublished(
  db: CheckpointHistory,
  { number, note, vkeys }: Pick<PublishedCheckpoint, 'number' | 'note' | 'vkeys'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO published_checkpoints (number, note, vkeys)
    SELECT ${number}::bigint, ${note}, ${vkeys.join(' ')}
    WHERE ${number}::bigint = (SELECT coalesce(max(number), 0) + 1 FROM published_checkpoints)
    ON CONFLICT DO NOTHING`.execute(db);
  return numAffectedRows === 1n;
}

function parse(row: Omit<PublishedCheckpoint, 'vkeys'> & { readonly vkeys: string }) {
  return { ...row, vkeys: row.vkeys.split(' ') };
}
