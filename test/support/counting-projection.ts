import { sql } from 'kysely';
import type { Projection } from '../../src/subscriptions/projection.ts';

/** A read model for tests: the marks of marked events, in the order in which they were folded. */
export function countingProjection(
  options: { readonly version?: number; readonly onBatch?: () => Promise<void> } = {},
): Projection {
  return {
    name: 'counting',
    version: options.version ?? 1,
    types: ['AccountRetired'],
    tables: ['folded'],
    async create(trx, named) {
      await sql`CREATE TABLE ${sql.table(named('folded'))} (
        id bigint GENERATED ALWAYS AS IDENTITY, position bigint NOT NULL, mark text NOT NULL
      )`.execute(trx);
    },
    async project(trx, events, named) {
      for (const event of events) {
        if (event.type !== 'AccountRetired') throw new Error(`${event.type} was not asked for`);
        await sql`INSERT INTO ${sql.table(named('folded'))} (position, mark)
          VALUES (${event.position}, ${event.data.account})`.execute(trx);
      }
      await options.onBatch?.();
    },
  };
}
