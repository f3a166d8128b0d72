import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';

/** A published checkpoint. */
export interface PublishedCheckpoint {
  /** Counts from 1 without gaps, in the order of publishing, across epochs. */
  readonly number: number;
  readonly note: string;
  /** Keys that signed the note. */
  readonly vkeys: readonly string[];
  /** Contents of the note: the name of the log, and the number of events that its tree covers. */
  readonly origin: string;
  readonly size: number;
}

/** History of the published checkpoints. Rows are added, and never changed. */
export type CheckpointHistory = Kysely<Pick<StoreTables, 'published_checkpoints'>>;

/** The newest published checkpoint; null if there is none. */
export async function lastPublished(db: CheckpointHistory): Promise<PublishedCheckpoint | null> {
  const row = await db
    .selectFrom('published_checkpoints')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : parse(row);
}

/**
 * Lists the keys that have signed published checkpoints, in sets that signed together; the last set
 * comes first. Rows are never changed, so the returned function reads each row once. Concurrent
 * calls share one read.
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
 * Adds the next checkpoint. Resolves with true when it is published and durable. Resolves with
 * false, and adds nothing, if `number` is not the next one: another process has published
 * meanwhile.
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
