import type pg from 'pg';
import type { DomainEvent } from '../domain/events.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { decodeEvents, type ReadRow } from './decode.ts';
import type {
  DatedHeader,
  EventStore,
  HeaderBounds,
  SizedHeader,
  StreamsRead,
} from './event-store.ts';
import type { HighWaterMark, SeenEvent } from './high-water-mark.ts';
import type { Keyring } from './keyring.ts';
import { eventColumns, logPageQuery, type PageRow, pageOf, readPages } from './log-page.ts';
import { createLogQuery } from './log-query.ts';
import { createReadCoalescer } from './read-coalescer.ts';
import type { EventRow, StoredEvent } from './stored-event.ts';

/** The part of the store that reads. */
type Reader = Omit<EventStore, 'append' | 'appendFirst' | 'index' | 'serviceIndex' | 'createKeys'>;

/** Reads events of the log and of its streams. Reading events raises `highWater`. */
export function createReader(options: {
  readonly pool: pg.Pool;
  readonly keyring: Keyring;
  readonly highWater: HighWaterMark;
}): Reader {
  const { pool, keyring, highWater } = options;
  const decodeAll = (rows: readonly ReadRow[]) => decodeEvents(rows, keyring);
  // The type of a stream's name lists the events in it. No other event is ever appended.
  const decodeStream = async <Event extends DomainEvent>(
    _name: StreamName<Event>,
    rows: readonly ReadRow[],
  ) => (await decodeAll(rows)) as readonly StoredEvent[] as readonly StoredEvent<Event>[];
  const query = createLogQuery(pool, highWater);
  const queryEvents = async <Row extends SeenEvent & pg.QueryResultRow>(config: pg.QueryConfig) => {
    const rows = await query<Row>(config);
    highWater.see(rows);
    return rows;
  };

  const readRows = createReadCoalescer(async (streams: readonly string[]) => {
    const rows = await queryEvents<EventRow>({
      name: 'read-streams',
      text: `SELECT ${eventColumns} FROM events WHERE stream = ANY($1) ORDER BY stream, version`,
      values: [streams],
    });
    return Map.groupBy(rows, ({ stream }) => stream);
  });

  const readLastRows = createReadCoalescer(async (streams: readonly string[]) => {
    const rows = await queryEvents<EventRow>({
      name: 'read-last',
      text:
        `SELECT ${eventColumns} FROM unnest($1::text[]) AS wanted(name) CROSS JOIN LATERAL ` +
        '(SELECT * FROM events WHERE stream = wanted.name ORDER BY version DESC LIMIT 1) AS last',
      values: [streams],
    });
    return new Map(rows.map((row) => [row.stream, row]));
  });

  const readPage: EventStore['readPage'] = async (after, limit, types, upTo, headersOf) => {
    const bounds = { after, limit, types, upTo, headersOf };
    const { rows, ...reached } = pageOf(bounds, await query<PageRow>(logPageQuery(bounds)));
    highWater.see(rows);
    return { events: await decodeAll(rows), ...reached };
  };

  return {
    async readStream(stream) {
      return decodeStream(stream, (await readRows([stream])).get(stream) ?? []);
    },

    async readStreams(streams) {
      const rows = await readRows(streams);
      const found = streams.flatMap((stream) => {
        const own = rows.get(stream);
        return own ? [decodeStream(stream, own).then((events) => [stream, events] as const)] : [];
      });
      return new Map<string, readonly StoredEvent[]>(
        await Promise.all(found),
      ) as StreamsRead as never;
    },

    async readNewest(stream, limit) {
      const rows = await queryEvents<EventRow>({
        name: 'read-newest',
        text: `SELECT ${eventColumns} FROM events WHERE stream = $1 ORDER BY version DESC LIMIT $2`,
        values: [stream, limit],
      });
      return decodeStream(stream, rows.reverse());
    },

    async readLast(stream) {
      const row = (await readLastRows([stream])).get(stream);
      return row === undefined ? null : ((await decodeStream(stream, [row]))[0] ?? null);
    },

    async versionOf(stream) {
      const rows = await query<{ version: number | null }>({
        name: 'version-of',
        text: 'SELECT max(version) AS version FROM events WHERE stream = $1',
        values: [stream],
      });
      return rows[0]?.version ?? 0;
    },

    readLog: (after, limit, types) => readPages(readPage, after, limit, types),
    readPage,

    async readHeaders(after, limit) {
      const rows = await queryEvents<SizedHeader & SeenEvent>({
        name: 'read-headers',
        text:
          'SELECT position, stream, type, octet_length(data) AS bytes, leaf FROM events ' +
          'WHERE position > $1 ORDER BY position LIMIT $2',
        values: [after, limit],
      });
      return rows.map(({ position, stream, type, bytes }) => ({ position, stream, type, bytes }));
    },

    async head() {
      const rows = await query<SeenEvent>({
        name: 'head',
        text: 'SELECT position, (SELECT leaf FROM events WHERE position = head.position) AS leaf FROM log_head AS head',
      });
      if (rows[0]?.leaf) highWater.see(rows);
      return rows[0]?.position ?? 0;
    },

    async lastPositionOf(organisationId) {
      const rows = await query<{ position: number | null }>({
        name: 'last-position',
        text: 'SELECT max(position) AS position FROM events WHERE organisation_id = $1',
        values: [organisationId],
      });
      return rows[0]?.position ?? 0;
    },

    async lastPositionAfter(organisationId, after, types) {
      const rows = await query<{ position: number | null }>({
        name: 'last-position-after',
        text: `SELECT max(position) AS position FROM events
          WHERE organisation_id = $1 AND position > $2 AND type = ANY($3)`,
        values: [organisationId, after, types],
      });
      return rows[0]?.position ?? null;
    },

    async readHeadersOf<Type extends string>(
      organisationId: string,
      { after, upTo, types, limit }: HeaderBounds<Type>,
    ) {
      const rows = await queryEvents<DatedHeader<Type> & SeenEvent>({
        name: 'read-headers-of',
        text: `SELECT position, stream, type, recorded_at AS "recordedAt", leaf FROM events
          WHERE organisation_id = $1 AND position > $2 AND position <= $3 AND type = ANY($4)
          ORDER BY position LIMIT $5`,
        values: [organisationId, after, upTo, types, limit],
      });
      return rows.map(({ leaf: _, ...header }) => header);
    },

    async bytesOfLast(stream) {
      const rows = await query<{ bytes: number }>({
        name: 'bytes-of-last',
        text: `SELECT octet_length(data) AS bytes FROM events
          WHERE stream = $1 ORDER BY version DESC LIMIT 1`,
        values: [stream],
      });
      return rows[0]?.bytes ?? 0;
    },
  };
}
