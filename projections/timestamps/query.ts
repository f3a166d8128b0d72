import type { TimestampEvent } from '../../src/domain/log/timestamp-events.ts';
import type { StreamName } from '../../src/domain/stream-name.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { TimestampsTables } from './table.ts';

/**
 * The stream with the token of the earliest checkpoint of this log that covers an event; null if no
 * token covers it.
 */
export async function findTimestamp(
  db: ReadModels,
  origin: string,
  position: number,
): Promise<StreamName<TimestampEvent> | null> {
  const row = await db
    .$extendTables<TimestampsTables>()
    .selectFrom('timestamps')
    .select('stream')
    .where('origin', '=', origin)
    .where('size', '>=', position)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : (row.stream as StreamName<TimestampEvent>);
}
