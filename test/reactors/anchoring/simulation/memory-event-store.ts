import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../../../src/domain/events.ts';
import { type CheckpointMemo, memoOf } from '../../../../src/domain/log/checkpoint-memo.ts';
import { originOf } from '../../../../src/domain/log/origin.ts';
import type { StreamName } from '../../../../src/domain/stream-name.ts';
import type {
  Appended,
  EventStore,
  StreamAppend,
  StreamsRead,
} from '../../../../src/event-store/event-store.ts';
import type { Leaves } from '../../../../src/event-store/leaves.ts';
import type { LogPage } from '../../../../src/event-store/log-page.ts';
import type { EventMeta, StoredEvent } from '../../../../src/event-store/stored-event.ts';
import {
  type StreamConflict,
  VersionConflict,
} from '../../../../src/event-store/version-conflict.ts';
import { loadLog } from '../../../../src/loading/load-log.ts';
import { rootAt } from '../../../../src/transparency-log/tree/root-at.ts';

/** An event store in memory with the contract of the real one. It never fails by itself. */
export interface MemoryEventStore extends EventStore {
  /** The whole log. */
  readonly events: readonly StoredEvent[];
  /** Number of losses so far. Each one ends all connections. */
  readonly generation: number;
  /**
   * Loses at least so many of the newest events, except the first `kept` ones. Returns the lost ones. Events that
   * were appended together are lost together, as a transaction is.
   */
  lose(count: number, kept: number): readonly StoredEvent[];
}

/** `onAppend` receives every event as soon as the log has it. */
export function createMemoryEventStore(
  options: { readonly now?: () => Date; readonly onAppend?: (event: StoredEvent) => void } = {},
): MemoryEventStore {
  const { now = () => new Date(), onAppend = () => {} } = options;
  const events: StoredEvent[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const keys = new Set<string>();
  /** Numbers of events before each append. */
  const starts: number[] = [];
  let generation = 0;

  const versionOf = (stream: string) => streams.get(stream)?.length ?? 0;
  const conflictOf = ({ stream, expectedVersion: expected }: StreamAppend): StreamConflict[] => {
    const actual = versionOf(stream);
    return actual === expected ? [] : [{ stream, expected, actual }];
  };
  const write = (entry: StreamAppend, meta: EventMeta, recordedAt: string) => {
    const { organisationId, stream, causedBy } = entry;
    const own = causedBy === undefined ? meta : { ...meta, causedBy };
    const stored = streams.get(stream) ?? [];
    streams.set(stream, stored);
    return entry.events.map((event) => {
      const place = { position: events.length + 1, version: stored.length + 1 };
      const eventId = `${generation || ''}${place.position}`.padStart(26, '0');
      const data = JSON.parse(JSON.stringify(event.data));
      const written = { ...place, organisationId, stream, eventId, recordedAt, meta: own };
      // The type and its data come from one event.
      const one = { ...written, type: event.type, data } as StoredEvent;
      events.push(one);
      stored.push(one);
      onAppend(one);
      return eventId;
    });
  };
  const append = (entries: readonly StreamAppend[], meta: EventMeta): Appended => {
    const recordedAt = now().toISOString();
    const named = entries.map(({ stream }) => stream);
    if (new Set(named).size < named.length) throw new Error(`a stream named twice: ${named}`);
    const empty = entries.find((entry) => entry.events.length === 0);
    if (empty) throw new Error(`nothing to append to ${empty.stream}`);
    const conflicts = entries.flatMap(conflictOf);
    if (conflicts.length > 0) throw new VersionConflict(conflicts);
    starts.push(events.length);
    const firstPosition = events.length + 1;
    const eventIds = entries.flatMap((entry) => write(entry, meta, recordedAt));
    return { firstPosition, lastPosition: events.length, eventIds, recordedAt };
  };

  const held = <Event extends DomainEvent>(name: StreamName<Event>) =>
    (streams.get(name) ?? []) as readonly StoredEvent[] as readonly StoredEvent<Event>[];

  const readPage = (after: number, limit: number, types?: readonly string[]): LogPage => {
    const rest = events.slice(after);
    const wanted = types ? rest.filter(({ type }) => types.includes(type)) : rest;
    const page = wanted.slice(0, limit);
    const isCut = page.length === limit;
    const position = isCut ? page.at(-1)?.position : events.length;
    return { events: page, position: Math.max(after, position ?? 0), isCut, bytes: 0 };
  };

  return {
    events,
    get generation() {
      return generation;
    },
    lose(count, kept) {
      generation += 1;
      const start = starts.findLast((one) => one <= events.length - count) ?? 0;
      const lost = events.splice(Math.max(kept, start));
      while ((starts.at(-1) ?? -1) >= events.length) starts.pop();
      for (const { stream } of lost) streams.get(stream)?.pop();
      for (const [stream, own] of streams) if (own.length === 0) streams.delete(stream);
      return lost;
    },
    append: async (entries, meta) => append(entries, meta),
    appendFirst: async (entry, meta) => (events.length > 0 ? null : append([entry], meta)),
    readStream: async (stream) => [...held(stream)],
    async readStreams(names) {
      const known = [...new Set(names)].filter((name) => streams.has(name));
      return new Map(known.map((name) => [name, [...held(name)]])) as StreamsRead as never;
    },
    readNewest: async (stream, limit) => held(stream).slice(-limit),
    readLast: async (stream) => held(stream).at(-1) ?? null,
    versionOf: async (stream) => versionOf(stream),
    readLog: async (after, limit, types) => readPage(after, limit, types).events,
    readPage: async (after, limit, types) => readPage(after, limit, types),
    readHeaders: async (after, limit) =>
      events.slice(after, after + limit).map(({ position, stream, type, data }) => {
        return { position, stream, type, bytes: Buffer.byteLength(JSON.stringify(data)) };
      }),
    head: async () => events.length,
    lastPositionOf: async (organisationId) =>
      events.findLast((event) => event.organisationId === organisationId)?.position ?? 0,
    lastPositionAfter: async (organisationId, after, types) =>
      events.findLast(
        (event) =>
          event.organisationId === organisationId &&
          event.position > after &&
          types.includes(event.type),
      )?.position ?? null,
    async readHeadersOf(organisationId, { after, upTo, types, limit }) {
      const wanted = (type: string): type is (typeof types)[number] =>
        (types as readonly string[]).includes(type);
      return events
        .slice(after, upTo)
        .filter((event) => event.organisationId === organisationId)
        .flatMap(({ position, stream, type, recordedAt }) =>
          wanted(type) ? [{ position, stream, type, recordedAt }] : [],
        )
        .slice(0, limit);
    },
    async bytesOfLast(stream) {
      const last = events.findLast((event) => event.stream === stream);
      return last === undefined ? 0 : JSON.stringify(last.data).length;
    },
    serviceIndex: async (value) => createHash('sha256').update(value).digest('hex'),
    index: async (organisationId, value) =>
      keys.has(organisationId)
        ? createHash('sha256').update(`${organisationId} ${value}`).digest('hex')
        : null,
    async createKeys(organisationId) {
      keys.add(organisationId);
    },
  };
}

/** Leaves of the log of a store in memory. */
export function memoryLeaves({ events }: Pick<MemoryEventStore, 'events'>): Pick<Leaves, 'read'> {
  return { read: async (after, limit) => events.slice(after, after + limit).map(leafOf) };
}

/** Hash of the whole event, so that different logs have different roots. */
/** Reads a checkpoint of all events, as if they were published at once. */
export async function publishedAtOnce(store: MemoryEventStore): Promise<CheckpointMemo | null> {
  const size = await store.head();
  const log = await loadLog(store);
  const root = await rootAt(memoryLeaves(store), size);
  return log && root && memoOf({ origin: originOf(log.state), size, root });
}

export function leafOf(event: StoredEvent): Buffer {
  return createHash('sha256').update(JSON.stringify(event)).digest();
}
