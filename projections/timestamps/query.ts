import { sql } from 'kysely';
import type { TimestampEvent } from '../../src/domain/log/timestamp-events.ts';
import type { StreamName } from '../../src/domain/stream-name.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { TimestampsTables } from './table.ts';

/**
 * The stream with the token of the earliest checkpoint that covers an event, of any epoch of the log;
 * null if no token covers it.
 */
export async function findTimestamp(
  db: ReadModels,
  position: number,
): Promise<StreamName<TimestampEvent> | null> {
  const row = await db
    .$extendTables<TimestampsTables>()
    .selectFrom('timestamps')
    .select('stream')
    .where('size', '>=', position)
    .orderBy('size')
    .orderBy('origin')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : (row.stream as StreamName<TimestampEvent>);
}

/** Streams with the tokens of these checkpoints, in any order. Those without a token are absent. */
export async function findTimestampsOf(
  db: ReadModels,
  checkpoints: readonly { readonly origin: string; readonly size: number }[],
): Promise<readonly StreamName<TimestampEvent>[]> {
  const origins = checkpoints.map(({ origin }) => origin);
  const sizes = checkpoints.map(({ size }) => size);
  const rows = await db
    .$extendTables<TimestampsTables>()
    .selectFrom('timestamps')
    .select('stream')
    .where(
      sql<boolean>`(origin, size) IN (SELECT * FROM unnest(${origins}::text[], ${sizes}::bigint[]))`,
    )
    .execute();
  return rows.map(({ stream }) => stream as StreamName<TimestampEvent>);
}
