import type { LogEvent } from '../domain/log/events.ts';
import type { LogState } from '../domain/log/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadLog } from '../transparency-log/load-log.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Loads the log's own state, decides, and appends what was decided; starts over while others change
 * it. Resolves with whether anything was appended.
 */
export async function decideOnLog(
  store: EventStore,
  decide: (state: LogState) => readonly LogEvent[],
  meta: EventMeta,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const loaded = await loadLog(store);
    if (loaded === null) throw new Error('no log was opened');
    const { state, version: expectedVersion } = loaded;
    const events = decide(state);
    if (events.length === 0) return false;
    const stream = streams.log(state.logId);
    await store.append([{ organisationId: null, stream, expectedVersion, events }], meta);
    return true;
  });
}
