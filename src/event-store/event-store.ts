import type { DomainEvent } from '../domain/events.ts';
import type { EventsIn, StreamName } from '../domain/stream-name.ts';
import type { Appended } from './appended.ts';
import type { LogPage } from './log-page.ts';
import type { EventMeta, StoredEvent } from './stored-event.ts';

/** The log as everybody else uses it: appending, reading, and the keys that what it holds is sealed under. */
export interface EventStore {
  /**
   * Appends to several streams, all or nothing. When it resolves the events are durable and any
   * reader sees them. Rejects with `VersionConflict` if a stream is elsewhere (nothing is appended)
   * and with `StoreUnavailable` if the database cannot be reached (it may be appended or not).
   */
  append(entries: readonly StreamAppend[], meta: EventMeta): Promise<Appended>;
  /**
   * Appends to a log that is empty, so that the first of these events is the very first one. Null,
   * and nothing is appended, if the log has begun. Of any number of concurrent calls, by whatever
   * processes, one appends. Rejects with `StoreUnavailable` (it may be appended or not).
   */
  appendFirst(entry: StreamAppend, meta: EventMeta): Promise<Appended | null>;
  /** The events of a stream in order; empty if it does not exist. */
  readStream<Event extends DomainEvent>(
    stream: StreamName<Event>,
  ): Promise<readonly StoredEvent<Event>[]>;
  /** Several streams at one moment; streams that do not exist are absent. */
  readStreams<Name extends StreamName<DomainEvent>>(
    streams: readonly Name[],
  ): Promise<StreamsRead<EventsIn<Name>>>;
  /** The newest events of a stream, in order: at most `limit`. As cheap in a long stream as in a short one. */
  readNewest<Event extends DomainEvent>(
    stream: StreamName<Event>,
    limit: number,
  ): Promise<readonly StoredEvent<Event>[]>;
  /** The stream's newest event; null if it does not exist. As cheap in a long stream as in a short one. */
  readLast<Event extends DomainEvent>(
    stream: StreamName<Event>,
  ): Promise<StoredEvent<Event> | null>;
  /** Version of the stream's newest event; 0 if it does not exist. */
  versionOf(stream: string): Promise<number>;
  /**
   * Events after a position, in order, of all or the given types: at most `limit`, and fewer where
   * they are large, so that any number of them may be read in a row. None only where there are none.
   */
  readLog(after: number, limit: number, types?: readonly string[]): Promise<readonly StoredEvent[]>;
  /**
   * The next stretch of the log, which may hold no event of the wanted types though later ones
   * follow; it ends at `upTo` at the latest. Events of the types in `headersOf` have `{}` as data.
   */
  readPage(
    after: number,
    limit: number,
    types?: readonly string[],
    upTo?: number,
    headersOf?: readonly string[],
  ): Promise<LogPage>;
  /** Where events after a position went, without decoding them. */
  readHeaders(after: number, limit: number): Promise<readonly EventHeader[]>;
  /** Position of the newest event; 0 for an empty log. */
  head(): Promise<number>;
  /** Position of the organisation's newest event; 0 if it has none. */
  lastPositionOf(organisationId: string): Promise<number>;
  /** Position of the organisation's newest event of the type after `after`; null if there is none. */
  lastPositionAfter(organisationId: string, after: number, type: string): Promise<number | null>;
  /** Size of the stored data of the last event of a stream; 0 if the stream does not exist. */
  bytesOfLast(stream: string): Promise<number>;
  /** What stands for a confidential value in the organisation's stream names; null if its keys are gone. */
  index(organisationId: string, value: string): Promise<string | null>;
  /** Makes the keys of a new organisation; durable when it resolves. */
  createKeys(organisationId: string): Promise<void>;
}

/** The events of several streams in order, by the streams' names; streams that do not exist are absent. */
export interface StreamsRead<Event extends DomainEvent = DomainEvent>
  extends Omit<ReadonlyMap<string, readonly StoredEvent<Event>[]>, 'get' | 'forEach'> {
  get<Own extends DomainEvent>(stream: StreamName<Own>): readonly StoredEvent<Own>[] | undefined;
}

/** Events for one stream, to be appended if it is at `expectedVersion` (0: it does not exist). */
export interface StreamAppend {
  readonly organisationId: string | null;
  readonly stream: string;
  readonly expectedVersion: number;
  readonly events: readonly DomainEvent[];
  /** `eventId` of the event to which these are the answer. */
  readonly causedBy?: string | undefined;
}

export interface EventHeader {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
}
