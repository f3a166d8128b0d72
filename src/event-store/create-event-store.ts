import type pg from 'pg';
import type { DomainEvent } from '../domain/events.ts';
import type { StreamName } from '../domain/stream-name.ts';
import type { WrittenBatch } from '../telemetry/contract.ts';
import type { AppendedRows } from './appended-rows.ts';
import { type EncodedAppend, writeBatch } from './batch.ts';
import { createCoalescer } from './coalescer.ts';
import { StoreUnavailable, writeUntilKnown } from './connection-loss.ts';
import { decodeEvents, type ReadRow } from './decode.ts';
import { encodeEvent } from './encode.ts';
import type {
  DatedHeader,
  EventStore,
  HeaderBounds,
  SizedHeader,
  StreamAppend,
  StreamsRead,
} from './event-store.ts';
import { writeFirst } from './first-append.ts';
import { HighWaterMark, type SeenEvent } from './high-water-mark.ts';
import { indexOf, type Keyring } from './keyring.ts';
import {
  eventColumns,
  logPageQuery,
  maxPageBytes,
  type PageRow,
  pageOf,
  readPages,
} from './log-page.ts';
import { createLogQuery } from './log-query.ts';
import { findServiceKeys } from './personal-meta.ts';
import { createReadCoalescer } from './read-coalescer.ts';
import type { EventMeta, EventRow, StoredEvent } from './stored-event.ts';

const maxBatchEvents = 1_000;
/** The longest wait of a caller for the database. */
const defaultAnswerMs = 30_000;

/**
 * The event store on PostgreSQL. `now` is the clock of `recordedAt`. `retryMs` limits the retries
 * of an append whose connection was lost, before `StoreUnavailable`. An append without an outcome
 * after `answerMs` rejects with `StoreSilent`. Appending and reading raise
 * `highWater`. Once the database is known to have gone back, every call rejects with
 * `DatabaseWentBack`.
 */
export function createEventStore(options: {
  readonly pool: pg.Pool;
  readonly keyring: Keyring;
  /** High-water mark of the pool's database. */
  readonly highWater?: HighWaterMark;
  readonly now?: () => Date;
  readonly retryMs?: number;
  /** Default: 30,000. */
  readonly answerMs?: number;
  /** Keeps the rows that this store appends, for a reader of the log in this process. */
  readonly appended?: AppendedRows;
  /** Called before a batch is written; it calls the result when the outcome is known. */
  readonly onWriting?: () => () => void;
  /** Called after every batch written. */
  readonly onWritten?: (batch: WrittenBatch) => void;
}): EventStore {
  const { pool, keyring, now = () => new Date(), retryMs = 5_000, onWritten } = options;
  const { answerMs = defaultAnswerMs, onWriting } = options;
  const { highWater = new HighWaterMark(), appended } = options;
  const write = async (appends: readonly EncodedAppend[]) => {
    highWater.requireIntact();
    const start = performance.now();
    const written = onWriting?.();
    const writing = writeUntilKnown(() => writeBatch(pool, appends), retryMs);
    const outcomes = await writing.finally(written);
    const events = appends.reduce((sum, { rows }) => sum + rows.length, 0);
    const seconds = (performance.now() - start) / 1_000;
    onWritten?.({ appends: appends.length, events, seconds });
    return outcomes;
  };
  const submit = createCoalescer(write, { events: maxBatchEvents, bytes: maxPageBytes }, answerMs);
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

  const encode = async (entry: StreamAppend, meta: EventMeta, recordedAt: string) => {
    const { organisationId, stream, expectedVersion, events } = entry;
    const keys = organisationId === null ? null : await keyring.find(organisationId);
    const { causedBy } = entry;
    const own = causedBy === undefined ? meta : { ...meta, causedBy };
    const needsService = keys === null && meta.operator !== undefined;
    const serviceKeys = needsService ? await findServiceKeys(keyring) : null;
    return events.map((event, index) => {
      const version = expectedVersion + 1 + index;
      const at = { organisationId, stream, version, event, recordedAt };
      return encodeEvent({ ...at, meta: own, keys, serviceKeys });
    });
  };

  /** `before` is the position of the high-water mark when the append began. */
  const seeAppended = (
    before: number,
    firstPosition: number,
    { rows, recordedAt }: { readonly rows: EncodedAppend['rows']; readonly recordedAt: string },
  ) => {
    const lastPosition = firstPosition + rows.length - 1;
    const last = rows.at(-1);
    if (last) highWater.seeAppended(before, firstPosition, { ...last, position: lastPosition });
    const eventIds = rows.map((row) => row.event_id);
    return { firstPosition, lastPosition, eventIds, recordedAt };
  };

  const readPage: EventStore['readPage'] = async (after, limit, types, upTo, headersOf) => {
    const bounds = { after, limit, types, upTo, headersOf };
    const { rows, ...reached } = pageOf(bounds, await query<PageRow>(logPageQuery(bounds)));
    highWater.see(rows);
    return { events: await decodeAll(rows), ...reached };
  };

  return {
    async append(entries, meta) {
      const recordedAt = now().toISOString();
      const named = entries.map(({ stream }) => stream);
      if (entries[0]?.events.length === 0) throw new Error(`nothing to append to ${named}`);
      if (new Set(named).size < named.length) throw new Error(`a stream named twice: ${named}`);
      const encoded = await Promise.all(entries.map((entry) => encode(entry, meta, recordedAt)));
      const rows = encoded.flat();
      const guards = entries.map(({ stream, expectedVersion }) => ({
        stream,
        expected: expectedVersion,
      }));
      const { position: before } = highWater;
      const outcome = await submit({ rows, guards });
      if ('conflict' in outcome) throw outcome.conflict;
      appended?.add(outcome.firstPosition, rows, performance.now());
      return seeAppended(before, outcome.firstPosition, { rows, recordedAt });
    },

    async appendFirst(entry, meta) {
      const recordedAt = now().toISOString();
      const rows = await encode(entry, meta, recordedAt);
      const guards = [{ stream: entry.stream, expected: entry.expectedVersion }];
      highWater.requireIntact();
      const { position: before } = highWater;
      const firstPosition = await writeFirst(pool, { rows, guards }).catch((cause: unknown) => {
        throw StoreUnavailable.wrap(cause);
      });
      if (firstPosition === null) return null;
      return seeAppended(before, firstPosition, { rows, recordedAt });
    },

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
