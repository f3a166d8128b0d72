import type { DomainEvent } from '../domain/events.ts';
import type { EventsIn, StreamName } from '../domain/stream-name.ts';
import type { LogPage } from './log-page.ts';
import type { EventMeta, StoredEvent } from './stored-event.ts';

/**
 * Public interface of the log: appending, reading, and the keys that encrypt its confidential
 * fields.
 */
export interface EventStore {
  /**
   * Appends to several streams, all or nothing. When it resolves, the events are durable and
   * visible to every reader. Rejects with `VersionConflict` if a stream is at another version
   * (nothing is appended). Rejects with `StoreUnavailable` if the database cannot be reached (the
   * events may be appended or not).
   */
  append(entries: readonly StreamAppend[], meta: EventMeta): Promise<Appended>;
  /**
   * Appends the very first events to an empty log. Returns null, and appends nothing, if the log
   * has begun. Of any number of concurrent calls in any processes, one appends. Rejects with
   * `StoreUnavailable` (the events may be appended or not).
   */
  appendFirst(entry: StreamAppend, meta: EventMeta): Promise<Appended | null>;
  /** The events of a stream in order; empty if it does not exist. */
  readStream<Event extends DomainEvent>(
    stream: StreamName<Event>,
  ): Promise<readonly StoredEvent<Event>[]>;
  /** Reads several streams at one moment. Streams that do not exist are absent. */
  readStreams<Name extends StreamName<DomainEvent>>(
    streams: readonly Name[],
  ): Promise<StreamsRead<EventsIn<Name>>>;
  /**
   * The newest events of a stream, in order: at most `limit`. The cost does not depend on the
   * stream's length.
   */
  readNewest<Event extends DomainEvent>(
    stream: StreamName<Event>,
    limit: number,
  ): Promise<readonly StoredEvent<Event>[]>;
  /**
   * The stream's newest event; null if it does not exist. The cost does not depend on its length.
   */
  readLast<Event extends DomainEvent>(
    stream: StreamName<Event>,
  ): Promise<StoredEvent<Event> | null>;
  /** Version of the stream's newest event; 0 if it does not exist. */
  versionOf(stream: string): Promise<number>;
  /**
   * Events after a position, in order, of all or the given types. At most `limit`, and fewer if
   * they are large, so that any number can be read page by page. Empty only if there are no more.
   */
  readLog(after: number, limit: number, types?: readonly string[]): Promise<readonly StoredEvent[]>;
  /**
   * Reads the next page of the log, which ends at `upTo` at most. The page may hold no event of the
   * wanted types although later ones follow. Events of the types in `headersOf` have `{}` as data.
   */
  readPage(
    after: number,
    limit: number,
    types?: readonly string[],
    upTo?: number,
    headersOf?: readonly string[],
  ): Promise<LogPage>;
  /** Headers of the events after a position, in order, without decoding them: at most `limit`. */
  readHeaders(after: number, limit: number): Promise<readonly SizedHeader[]>;
  /** Position of the newest event; 0 for an empty log. */
  head(): Promise<number>;
  /** Position of the organisation's newest event; 0 if it has none. */
  lastPositionOf(organisationId: string): Promise<number>;
  /**
   * Position of the organisation's newest event of these types after `after`; null if there is none.
   */
  lastPositionAfter(
    organisationId: string,
    after: number,
    types: readonly string[],
  ): Promise<number | null>;
  /**
   * Headers of the organisation's events of these types after `after`, up to `upTo`, in order, without
   * decoding them: at most `limit`. Events of other organisations cost nothing.
   */
  readHeadersOf<Type extends string>(
    organisationId: string,
    bounds: HeaderBounds<Type>,
  ): Promise<readonly DatedHeader<Type>[]>;
  /** Size of the stored data of the last event of a stream; 0 if the stream does not exist. */
  bytesOfLast(stream: string): Promise<number>;
  /**
   * Index of a confidential value, for the organisation's stream names; null if its keys are gone.
   */
  index(organisationId: string, value: string): Promise<string | null>;
  /**
   * Index of a value under a key of the service, by which it can be found in all organisations:
   * lower-case hex.
   */
  serviceIndex(value: string): Promise<string>;
  /** Creates the keys of a new organisation. They are durable when it resolves. */
  createKeys(organisationId: string): Promise<void>;
}

/** The part of the store that a follower of the log uses. */
export type LogReader = Pick<EventStore, 'readPage' | 'readHeaders' | 'head'>;

/** The events of several streams in order, by stream name. Streams that do not exist are absent. */
export interface StreamsRead<Event extends DomainEvent = DomainEvent>
  extends Omit<ReadonlyMap<string, readonly StoredEvent<Event>[]>, 'get' | 'forEach'> {
  get<Own extends DomainEvent>(stream: StreamName<Own>): readonly StoredEvent<Own>[] | undefined;
}

/**
 * Events for one stream, to be appended if it is at `expectedVersion` (0: it does not exist). Without
 * events, which no first entry may be, the whole append depends on that version all the same.
 */
export interface StreamAppend {
  readonly organisationId: string | null;
  readonly stream: string;
  readonly expectedVersion: number;
  readonly events: readonly DomainEvent[];
  /** `eventId` of the event that caused these events. */
  readonly causedBy?: string | undefined;
}

export interface EventHeader {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
}

/** Header with the size of the stored data. */
export interface SizedHeader extends EventHeader {
  readonly bytes: number;
}

/** Headers to read of one organisation. */
export interface HeaderBounds<Type extends string> {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly Type[];
  readonly limit: number;
}

/** Header with the time of the record. */
export interface DatedHeader<Type extends string = string> extends EventHeader {
  readonly type: Type;
  readonly recordedAt: string;
}

/** Log positions and ids of appended events. */
export interface Appended {
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** Ids of all events, in the order given. */
  readonly eventIds: readonly string[];
  /** `recordedAt` of all events. */
  readonly recordedAt: string;
}
