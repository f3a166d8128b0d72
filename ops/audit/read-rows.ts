import type pg from 'pg';
import type { EventRow } from '../../src/event-store/stored-event.ts';

/** A pool, or one connection with what its transaction sees. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

const columns =
  'position, organisation_id, stream, version, event_id, type, schema, recorded_at, data, meta, leaf';
const pageRows = 1_000;
const pageBytes = 8_388_608;

/** The rows of the log as they are stored, from a position on up to another, in bounded memory. */
export async function* readRows(
  database: Queryable,
  { after = 0, upTo }: { readonly after?: number; readonly upTo: number },
): AsyncGenerator<EventRow> {
  for (let position = after; ; ) {
    const { rows } = await database.query<EventRow>(
      `SELECT ${columns} FROM (
         SELECT *, sum(octet_length(data)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING)
                   - octet_length(data) AS before
         FROM (SELECT ${columns} FROM events WHERE position > $1 AND position <= $2
               ORDER BY position LIMIT ${pageRows}) page
       ) counted WHERE before < ${pageBytes} ORDER BY position`,
      [position, upTo],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    position = last.position;
  }
}
