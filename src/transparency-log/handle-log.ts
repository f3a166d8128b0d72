import type { LogEvent } from '../domain/log/events.ts';
import type { LogState } from '../domain/log/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadLog } from '../loading/load-log.ts';

/**
 * `handle` for the log's own stream, which no caller has to name. Loads only the newest events, as
 * `loadLog` does.
 */
export async function handleLog(
  store: Pick<EventStore, 'append' | 'readLog' | 'readStream' | 'readNewest'>,
  command: (state: LogState) => readonly LogEvent[],
  meta: EventMeta,
): Promise<void> {
  const decide = async () => {
    const loaded = await loadLog(store);
    if (loaded === null) throw new Error('no log was opened');
    const { state, version: expectedVersion } = loaded;
    const events = command(state);
    const entry = {
      organisationId: null,
      stream: streams.log(state.logId),
      expectedVersion,
      events,
    };
    return { entries: events.length === 0 ? [] : [entry] };
  };
  await handleStreams(store, decide, meta);
}
