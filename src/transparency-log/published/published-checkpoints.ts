import { type Kysely, sql } from 'kysely';
import { type CheckpointMemo, memoOf } from '../../domain/log/checkpoint-memo.ts';
import type { StoreTables } from '../../event-store/database.ts';
import { readCheckpoint } from '../checkpoint/checkpoint.ts';

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

/** The contents of the newest published checkpoint; null if there is none. */
export async function readNewestCheckpoint(db: CheckpointHistory): Promise<CheckpointMemo | null> {
  const last = await lastPublished(db);
  const checkpoint = last && readCheckpoint(last.note);
  return checkpoint && memoOf(checkpoint);
}

/**
 * Finds the sets of keys that signed published checkpoints together, each with its newest
 * checkpoint. Reads a few rows for each set, by an index on a hash of the keys: with `=` in place of
 * `<=`, PostgreSQL would search by number, through all rows after the set.
 */
export const findSigningSets = sql<{ vkeys: string; number: number }>`
  WITH RECURSIVE sets (hash) AS (
    SELECT min(hashtextextended(vkeys, 0)) FROM published_checkpoints
    UNION ALL
    SELECT (
      SELECT min(hashtextextended(vkeys, 0)) FROM published_checkpoints
      WHERE hashtextextended(vkeys, 0) > sets.hash
    ) FROM sets WHERE sets.hash IS NOT NULL
  )
  SELECT newest.vkeys, newest.number FROM sets CROSS JOIN LATERAL (
    SELECT vkeys, number FROM published_checkpoints
    WHERE hashtextextended(vkeys, 0) <= sets.hash
    ORDER BY hashtextextended(vkeys, 0) DESC, number DESC LIMIT 1
  ) AS newest
  ORDER BY newest.number DESC`;

/**
 * Lists the keys that have signed published checkpoints, in sets that signed together; the last set
 * comes first. Concurrent calls share one read.
 */
export function createSigningKeys(
  db: CheckpointHistory,
): () => Promise<readonly (readonly string[])[]> {
  const read = async () => {
    const { rows } = await findSigningSets.execute(db);
    return rows.map(({ vkeys }) => vkeys.split(' '));
  };
  let reading: ReturnType<typeof read> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
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
