import { sql } from 'kysely';
import type { Projection } from '../../src/subscriptions/projection.ts';

/** A read model for tests: the marks of marked events, in the order of folding. */
export function countingProjection(
  options: {
    readonly version?: number;
    readonly onBatch?: () => Promise<void>;
    /** Turns a mark into the stored text; by default unchanged. */
    readonly markOf?: (mark: string) => string;
  } = {},
): Projection {
  const { markOf = (mark: string) => mark } = options;
  return {
    name: 'counting',
    version: options.version ?? 1,
    types: ['AccountRetired'],
    tables: ['folded'],
    async create(trx, named) {
      await sql`CREATE TABLE ${sql.table(named('folded'))} (
        id bigint PRIMARY KEY, position bigint NOT NULL, mark text NOT NULL
      )`.execute(trx);
      await sql`CREATE INDEX ON ${sql.table(named('folded'))} (mark)`.execute(trx);
    },
    async project(trx, events, named) {
      for (const event of events) {
        if (event.type !== 'AccountRetired') throw new Error(`${event.type} was not asked for`);
        const table = sql.table(named('folded'));
        await sql`INSERT INTO ${table} (id, position, mark)
          SELECT coalesce(max(id), 0) + 1, ${event.position}::bigint, ${markOf(event.data.account)}
          FROM ${table}`.execute(trx);
      }
      await options.onBatch?.();
    },
  };
}
