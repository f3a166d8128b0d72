import { logDecider } from '../domain/log/decider.ts';
import type { LogEvent, LogRestored } from '../domain/log/events.ts';
import type { LogState } from '../domain/log/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/** State of the log, with the version of its stream. */
export interface LoadedLog {
  readonly state: LogState;
  readonly version: number;
  /** Id of the newest event of the stream: the cause of the events that are appended next. */
  readonly causeId: string;
}

/** Newest events to read. Each anchored checkpoint adds three to the stream, failed ones more. */
const recent = 200;

export type LogReading = Pick<EventStore, 'readLog' | 'readStream' | 'readNewest'>;

/** Loads the state of the log in this database; null if no log was opened. */
export async function loadLog(store: LogReading): Promise<LoadedLog | null> {
  const events = await readLog(store);
  return events && foldLogStream(events);
}

/**
 * Reads the newest events of the log's stream, enough to fold its state. Null if no log was opened.
 */
export async function readLog(store: LogReading): Promise<readonly StoredEvent<LogEvent>[] | null> {
  const [first] = await store.readLog(0, 1);
  if (first?.type !== 'LogOpened') return null;
  const stream = streams.log(first.data.logId);
  const newest = await store.readNewest(stream, recent);
  const isWhole = newest[0]?.version === 1;
  const start = newest.findIndex(({ type }) => type === 'CheckpointRequested');
  const isEnough =
    start !== -1 && newest.slice(start).some(({ type }) => type === 'CheckpointAnchored');
  const events = isWhole ? newest : isEnough ? newest.slice(start) : await store.readStream(stream);
  return events;
}

/** Reads the event that began the present epoch; null in the first epoch of a log. */
export async function readLastRestored(
  store: LogReading,
): Promise<StoredEvent<LogRestored> | null> {
  const [first] = await store.readLog(0, 1);
  if (first?.type !== 'LogOpened') return null;
  const own = await store.readStream(streams.log(first.data.logId));
  return own.findLast((event) => event.type === 'LogRestored') ?? null;
}

/** Folds the events that `readLog` returns. */
function foldLogStream(events: readonly StoredEvent<LogEvent>[]): LoadedLog {
  const { version = 0, eventId: causeId = '' } = events.at(-1) ?? {};
  return { state: fold(events, logDecider).state, version, causeId };
}
