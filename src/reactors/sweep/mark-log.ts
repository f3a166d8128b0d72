import type { EventStore } from '../../event-store/event-store.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { LogLacksMark } from './log-lacks-mark.ts';

/**
 * Notes in the storage how far the log has come that names its blobs, so that an older copy of the
 * database, or another one, is told from it. Throws `LogLacksMark` where the mark that is there is
 * not of this log; nothing is changed then, and nothing may be deleted.
 */
export async function markLog(
  storage: Pick<BlobStorage, 'readLogMark' | 'writeLogMark'>,
  log: Pick<EventStore, 'head' | 'readLog'>,
): Promise<void> {
  const mark = await storage.readLogMark();
  if (mark !== null && (await eventIdAt(log, mark.position)) !== mark.eventId) {
    throw new LogLacksMark(mark);
  }
  const position = await log.head();
  if (position === 0 || position === mark?.position) return;
  const [first] = await log.readLog(0, 1, ['LogOpened']);
  const eventId = await eventIdAt(log, position);
  if (first?.type !== 'LogOpened' || eventId === null) throw new Error('the log has no beginning');
  await storage.writeLogMark({ logId: first.data.logId, position, eventId });
}

/** Null where the log has not come that far. */
async function eventIdAt(
  log: Pick<EventStore, 'readLog'>,
  position: number,
): Promise<string | null> {
  const [event] = await log.readLog(position - 1, 1);
  return event?.eventId ?? null;
}
