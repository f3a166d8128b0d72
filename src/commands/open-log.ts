import { logName } from '../domain/log/origin.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Makes sure that the log has begun, with LogOpened as its very first event, and resolves with the
 * log's id. Every process calls it before its first append. Of several concurrent processes, one
 * opens the log: `appendFirst` checks the head and appends under the head's lock, which every
 * append needs. The others find the log open.
 */
export async function openLog(
  deps: {
    readonly store: EventStore;
    readonly newId: () => string;
    /** Start of the name of a new log (LOG_ORIGIN). */
    readonly originPrefix?: string | null;
  },
  meta: EventMeta,
): Promise<string> {
  const { store } = deps;
  if ((await store.head()) === 0) {
    const logId = deps.newId();
    const origin = logName(logId, deps.originPrefix);
    const events = [{ type: 'LogOpened', data: { logId, leafVersion: 1, origin } } as const];
    const stream = streams.log(logId);
    await store.appendFirst({ organisationId: null, stream, expectedVersion: 0, events }, meta);
  }
  const [first] = await store.readLog(0, 1);
  if (first?.type === 'LogOpened') return first.data.logId;
  throw new Error(`the log begins with ${first?.type ?? 'nothing'}, not with LogOpened`);
}
