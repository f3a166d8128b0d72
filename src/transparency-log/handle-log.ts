import type { LogEvent } from '../domain/log/events.ts';
import type { LogState } from '../domain/log/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Handled } from '../event-store/handling/handle.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadLog } from './load-log.ts';

/** `handle` for the log's own stream, loading only the newest events, as `loadLog` does. */
export async function handleLog(
  store: Pick<EventStore, 'append' | 'readLog' | 'readStream' | 'readNewest'>,
  command: (state: LogState) => readonly LogEvent[],
  meta: EventMeta,
): Promise<Handled<LogState, LogEvent>> {
  return retryOnConflict(async () => {
    const loaded = await loadLog(store);
    if (loaded === null) throw new Error('no log was opened');
    const { state, version: expectedVersion } = loaded;
    const events = command(state);
    if (events.length > 0) {
      const stream = streams.log(state.logId);
      await store.append([{ organisationId: null, stream, expectedVersion, events }], meta);
    }
    return { state, appended: events };
  });
}
