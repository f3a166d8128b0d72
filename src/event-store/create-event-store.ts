import type pg from 'pg';
import type { WrittenBatch } from '../telemetry/contract.ts';
import { type EncodedAppend, writeBatch } from './batch.ts';
import { createCoalescer } from './coalescer.ts';
import { StoreUnavailable, writeUntilKnown } from './connection-loss.ts';
import { decodeEvent, decodeEvents, type ReadRow } from './decode.ts';
import { encodeEvent } from './encode.ts';
import type { EventHeader, EventStore, StreamAppend } from './event-store.ts';
import { writeFirst } from './first-append.ts';
import { indexOf, type Keyring } from './keyring.ts';
import {
  eventColumns,
  maxPageBytes,
  type PageRow,
  pageOf,
  pageQuery,
  readPages,
} from './log-page.ts';
import { createReadCoalescer } from './read-coalescer.ts';
import type { EventMeta, EventRow } from './stored-event.ts';

const maxBatchEvents = 1_000;

/**
 * The event store on PostgreSQL. `now` is the clock of `recordedAt`; `retryMs` is how long an
 * append whose connection was lost is pursued before `StoreUnavailable`.
 */
export function createEventStore(options: {
  readonly pool: pg.Pool;
  readonly keyring: Keyring;
  readonly now?: () => Date;
  readonly retryMs?: number;
  /** Hears of every batch that was written. */
  readonly onWritten?: (batch: WrittenBatch) => void;
}): EventStore {
  const { pool, keyring, now = () => new Date(), retryMs = 5_000, onWritten } = options;
  const write = async (appends: readonly EncodedAppend[]) => {
    const start = performance.now();
    const outcomes = await writeUntilKnown(() => writeBatch(pool, appends), retryMs);
    const events = appends.reduce((sum, { rows }) => sum + rows.length, 0);
    const seconds = (performance.now() - start) / 1_000;
    onWritten?.({ appends: appends.length, events, seconds });
    return outcomes;
  };
  const submit = createCoalescer(write, { events: maxBatchEvents, bytes: maxPageBytes });
  const decodeAll = (rows: readonly ReadRow[]) => decodeEvents(rows, keyring);
  const query = async <Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<Row[]> => {
    try {
      return (await pool.query<Row>(config)).rows;
    } catch (cause) {
      throw StoreUnavailable.wrap(cause);
    }
  };

  const readRows = createReadCoalescer(async (streams: readonly string[]) => {
    const rows = await query<ReadRow>({
      name: 'read-streams',
      text: `SELECT ${eventColumns} FROM events WHERE stream = ANY($1) ORDER BY stream, version`,
      values: [streams],
    });
    return Map.groupBy(rows, ({ stream }) => stream);
  });

  const readLastRows = createReadCoalescer(async (streams: readonly string[]) => {
    const rows = await query<ReadRow>({
      name: 'read-last',
      text:
        `SELECT ${eventColumns} FROM unnest($1::text[]) AS wanted(name) CROSS JOIN LATERAL ` +
        '(SELECT * FROM events WHERE stream = wanted.name ORDER BY version DESC LIMIT 1) AS last',
      values: [streams],
    });
    return new Map(rows.map((row) => [row.stream, row]));
  });

  const encode = async (entry: StreamAppend, meta: EventMeta, recordedAt: string) => {
    const { organisationId, stream, expectedVersion, events } = entry;
    if (events.length === 0) throw new Error(`nothing to append to ${stream}`);
    const keys = organisationId === null ? null : await keyring.find(organisationId);
    const { causedBy } = entry;
    const own = causedBy === undefined ? meta : { ...meta, causedBy };
    return events.map((event, index) => {
      const version = expectedVersion + 1 + index;
      return encodeEvent({ organisationId, stream, version, event, meta: own, recordedAt, keys });
    });
  };

  const readPage: EventStore['readPage'] = async (after, limit, types, upTo) => {
    const bounds = { after, limit, types, upTo };
    const { rows, ...reached } = pageOf(bounds, await query<PageRow>(pageQuery(bounds)));
    return { events: await decodeAll(rows), ...reached };
  };

  return {
    async append(entries, meta) {
      const recordedAt = now().toISOString();
      const named = entries.map(({ stream }) => stream);
      if (new Set(named).size < named.length) throw new Error(`a stream named twice: ${named}`);
      const encoded = await Promise.all(entries.map((entry) => encode(entry, meta, recordedAt)));
      const rows = encoded.flat();
      const guards = entries.map(({ stream, expectedVersion }) => ({
        stream,
        expected: expectedVersion,
      }));
      const outcome = await submit({ rows, guards });
      if ('conflict' in outcome) throw outcome.conflict;
      const { firstPosition } = outcome;
      const eventIds = rows.map((row) => row.event_id);
      return { firstPosition, lastPosition: firstPosition + rows.length - 1, eventIds };
    },

    async appendFirst(entry, meta) {
      const rows = await encode(entry, meta, now().toISOString());
      const guards = [{ stream: entry.stream, expected: entry.expectedVersion }];
      try {
        return await writeFirst(pool, { rows, guards });
      } catch (cause) {
        throw StoreUnavailable.wrap(cause);
      }
    },

    async readStream(stream) {
      return decodeAll((await readRows([stream])).get(stream) ?? []);
    },

    async readStreams(streams) {
      const rows = await readRows(streams);
      const found = streams.flatMap((stream) => {
        const own = rows.get(stream);
        return own ? [decodeAll(own).then((events) => [stream, events] as const)] : [];
      });
      return new Map(await Promise.all(found));
    },

    async readNewest(stream, limit) {
      const rows = await query<EventRow>({
        name: 'read-newest',
        text: `SELECT ${eventColumns} FROM events WHERE stream = $1 ORDER BY version DESC LIMIT $2`,
        values: [stream, limit],
      });
      return decodeAll(rows.reverse());
    },

    async readLast(stream) {
      const row = (await readLastRows([stream])).get(stream);
      return row === undefined ? null : decodeEvent(row, keyring);
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

    readHeaders: (after, limit) =>
      query<EventHeader & pg.QueryResultRow>({
        name: 'read-headers',
        text: 'SELECT position, stream, type FROM events WHERE position > $1 ORDER BY position LIMIT $2',
        values: [after, limit],
      }),

    async head() {
      const rows = await query<{ position: number }>({
        name: 'head',
        text: 'SELECT position FROM log_head',
      });
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

    async index(organisationId, value) {
      const keys = await keyring.find(organisationId);
      return keys === null ? null : indexOf(keys, value);
    },

    createKeys: (organisationId) => keyring.create(organisationId),
  };
}
