import { type AppenderOptions, createAppender } from './appender.ts';
import type { EventStore } from './event-store.ts';
import { HighWaterMark } from './high-water-mark.ts';
import { indexOf } from './keyring.ts';
import { findServiceKeys } from './personal-meta.ts';
import { createReader } from './reader.ts';

interface EventStoreOptions extends Omit<AppenderOptions, 'highWater'> {
  /** High-water mark of the pool's database. */
  readonly highWater?: HighWaterMark;
}

/**
 * The event store on PostgreSQL. Appending and reading raise `highWater`. Once the database is known
 * to have gone back, every call rejects with `DatabaseWentBack`.
 */
export function createEventStore(options: EventStoreOptions): EventStore {
  const { pool, keyring, highWater = new HighWaterMark() } = options;
  return {
    ...createAppender({ ...options, highWater }),
    ...createReader({ pool, keyring, highWater }),

    async serviceIndex(value) {
      return indexOf(await findServiceKeys(keyring), value);
    },

    async index(organisationId, value) {
      const keys = await keyring.find(organisationId);
      return keys === null ? null : indexOf(keys, value);
    },

    createKeys: (organisationId) => keyring.create(organisationId),
  };
}
