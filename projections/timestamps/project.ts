import type { CheckpointTimestamped } from '../../src/domain/log/timestamp-events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { createTimestampsTables, type TimestampsTables, timestampsTables } from './table.ts';

type TimestampsEvent = StoredEvent<CheckpointTimestamped>;

/** Finds the time-stamp token that covers an event of the log. No field it reads is confidential. */
export const timestamps: Projection = {
  name: 'timestamps',
  version: 1,
  types: ['CheckpointTimestamped'] satisfies TimestampsEvent['type'][],
  tables: timestampsTables,
  create: createTimestampsTables,
  async project(trx, events, named) {
    const rows = (events as readonly TimestampsEvent[]).map(({ stream, data }) => ({
      origin: data.origin,
      size: data.size,
      stream,
    }));
    if (rows.length === 0) return;
    await trx
      .$extendTables<TimestampsTables>()
      .insertInto(named('timestamps'))
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
};
