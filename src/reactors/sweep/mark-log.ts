import { OperatorError } from '../../errors/operator-error.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { type LogMark, logMarkName } from '../../storage/log-mark.ts';
import { StorageFull } from '../../storage/storage-full.ts';

/**
 * Records in the storage the position of the log that names its blobs. The mark distinguishes the
 * log from an older copy of the database, or from another database. Throws `LogLacksMark` if the
 * stored mark is not of this log. Nothing is changed then, and nothing may be deleted. A storage
 * without space keeps its older mark: the sweep must go on, since it makes room.
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
  await storage.writeLogMark({ logId: first.data.logId, position, eventId }).catch(unlessFull);
}

function unlessFull(trouble: unknown): void {
  if (!(trouble instanceof StorageFull)) throw trouble;
}

/** Null if the log ends before the position. */
async function eventIdAt(
  log: Pick<EventStore, 'readLog'>,
  position: number,
): Promise<string | null> {
  const [event] = await log.readLog(position - 1, 1);
  return event?.eventId ?? null;
}

/** A log that this database does not hold last named the files: a newer log, or another one. */
export class LogLacksMark extends OperatorError {
  readonly mark: LogMark;

  constructor(mark: LogMark) {
    super(
      `the file storage belongs to log ${mark.logId} up to position ${mark.position} ` +
        `(event ${mark.eventId}), which this database does not hold: it was restored from an older ` +
        'backup, or STORAGE_URL is that of another service. No file is deleted. Restore the newer ' +
        'database or mend STORAGE_URL; or, once nothing that was uploaded since is needed any more, ' +
        `remove ${logMarkName} from the storage`,
    );
    this.mark = mark;
  }
}
