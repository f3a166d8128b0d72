import type pg from 'pg';
import type { EventRow } from '../../src/event-store/stored-event.ts';

/** Writes rows into the log of an empty database, as an insider could, and states the last position. */
export async function insertRows(client: pg.ClientBase, rows: readonly EventRow[]): Promise<void> {
  await client.query(
    `INSERT INTO events (position, organisation_id, stream, version, event_id, type, schema,
       recorded_at, data, meta, leaf)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[],
       $7::int[], $8::text[], $9::text[], $10::text[], $11::bytea[])`,
    [
      rows.map(({ position }) => position),
      rows.map(({ organisation_id }) => organisation_id),
      rows.map(({ stream }) => stream),
      rows.map(({ version }) => version),
      rows.map(({ event_id }) => event_id),
      rows.map(({ type }) => type),
      rows.map(({ schema }) => schema),
      rows.map(({ recorded_at }) => recorded_at),
      rows.map(({ data }) => data),
      rows.map(({ meta }) => meta),
      rows.map(({ leaf }) => leaf),
    ],
  );
  await client.query('UPDATE log_head SET position = (SELECT max(position) FROM events)');
}
