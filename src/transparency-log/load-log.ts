import type { LogEvent } from '../domain/log/events.ts';
import { evolveLog } from '../domain/log/evolve.ts';
import { type LogState, unopenedLog } from '../domain/log/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/** The log's own state, with the version of its stream. */
export interface LoadedLog {
  readonly state: LogState;
  readonly version: number;
  /** Id of the event that brought it here; what is appended next is the answer to it. */
  readonly causeId: string;
}

/** Each anchored checkpoint adds three events to the stream, and some failed ones more. */
const recent = 200;

export type LogReading = Pick<EventStore, 'readLog' | 'readStream' | 'readNewest'>;

/** The state of the log that this database holds. Null where none was opened. */
export async function loadLog(store: LogReading): Promise<LoadedLog | null> {
  const events = await readLog(store);
  return events && foldLog(events);
}

/** The stretch of the log's stream, up to its end, that says its state. Null where none was opened. */
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

/** Folds such a stretch. */
export function foldLog(events: readonly StoredEvent<LogEvent>[]): LoadedLog {
  const { version = 0, eventId: causeId = '' } = events.at(-1) ?? {};
  return { state: events.reduce(evolveLog, unopenedLog), version, causeId };
}
