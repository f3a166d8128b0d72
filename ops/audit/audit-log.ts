import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  openCheckpoint,
  readCheckpoint,
} from '../../src/domain/log/checkpoint.ts';
import type { NoteVerifier } from '../../src/domain/log/note-key.ts';
import type { LogStorage } from '../../src/storage/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import { auditCheckpoints } from './checkpoint-audit.ts';
import type { Fault, Tell, TellLost } from './fault.ts';
import { LogAudit } from './log-audit.ts';
import { LogEpochs } from './log-epochs.ts';
import { ownRows, readHistory } from './log-history.ts';
import { type Queryable, readRows } from './read-rows.ts';
import { TileAudit } from './tile-audit.ts';

export interface AuditedLog {
  readonly database: Queryable;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
  /** The log's keys as one knows them; null: whatever keys are listed beside a checkpoint. */
  readonly trusted: readonly NoteVerifier[] | null;
  /** Hears of every row too. */
  readonly anchors?: AnchorAudit;
  readonly tell: Tell;
  readonly tellLost?: TellLost;
  readonly onPosition?: (position: number, head: number) => void;
  /** For how long a checkpoint may be in the storage before it is listed (5,000). */
  readonly listedWithinMs?: number;
}

const lookAgainMs = 100;

/**
 * Audits the stored log up to the head that it has now: every row, the tree over all of them, every
 * published checkpoint and tile, stream versions, ids, and the head's row. Returns how many events
 * were audited.
 */
export async function auditLog(audited: AuditedLog): Promise<number> {
  const { database, published, tell, tellLost = () => {}, onPosition } = audited;
  // In this order: what is published then is of events that the head, read later, covers.
  const newest = await auditNewest(audited);
  const through = await numberOf(
    database,
    'SELECT max(number) AS value FROM published_checkpoints',
  );
  const head = await numberOf(database, 'SELECT max(position) AS value FROM log_head');
  const upTo = head ?? Number.MAX_SAFE_INTEGER;
  const history = await readHistory(ownRows(database, upTo));
  const epochs = LogEpochs.of(history);
  if (newest !== null) await compareListed(audited, newest, epochs);
  const tiles = newest?.origin === (epochs?.origin ?? newest?.origin);
  const log = new LogAudit({
    checkpoints: auditCheckpoints(database, { epochs, through: through ?? 0, tell, tellLost }),
    tiles: newest && tiles ? new TileAudit(published, newest, tell) : null,
    history,
    tell,
  });
  try {
    for await (const row of readRows(database, { upTo })) {
      await log.add(row);
      await audited.anchors?.add(row, log);
      onPosition?.(row.position, head ?? row.position);
    }
    if (head === null) tell(headFault('it is missing'));
    await log.end(head);
  } finally {
    log.close();
  }
  await auditBeyond(database, tell);
  return log.position;
}

/** The checkpoint that the storage holds, verified; null if there is none that can be gone by. */
async function auditNewest({
  database,
  published,
  trusted,
  tell,
}: AuditedLog): Promise<Checkpoint | null> {
  const fault = (what: string) => tell({ in: 'checkpoints', position: null, column: null, what });
  const note = await published.readCheckpoint();
  if (note === null) {
    const listed = await numberOf(
      database,
      'SELECT count(*)::int AS value FROM published_checkpoints',
    );
    if (listed) fault(`${listed} are listed, but there is none under STORAGE_URL`);
    return null;
  }
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) {
    fault('the newest one under STORAGE_URL is no checkpoint');
    return null;
  }
  if (trusted !== null && openCheckpoint(note, trusted).status !== 'verified') {
    fault('the newest one under STORAGE_URL is not signed by a known key of the log');
  }
  return checkpoint;
}

/**
 * What the storage holds is listed too, the very same, at once or soon: it is listed after it is stored.
 * But until a new epoch has published something, the storage holds what the restore says was the last.
 */
async function compareListed(
  { database, tell, listedWithinMs = 5_000 }: AuditedLog,
  newest: Checkpoint,
  epochs: LogEpochs | null,
): Promise<void> {
  const fault = (what: string) => tell({ in: 'checkpoints', position: null, column: null, what });
  const origin = epochs?.origin ?? newest.origin;
  if (newest.origin !== origin) {
    const listed = await lastListed(database);
    if (epochs?.isLastPublished(newest) && listed?.origin !== origin) return;
    fault(`the newest one under STORAGE_URL is of ${newest.origin}, the log is ${origin}`);
    return;
  }
  const until = performance.now() + listedWithinMs;
  let listed = await lastListed(database);
  while ((listed?.size ?? 0) < newest.size && performance.now() < until) {
    await delay(lookAgainMs);
    listed = await lastListed(database);
  }
  const isListed =
    listed !== null &&
    (listed.size > newest.size || (listed.size === newest.size && listed.root.equals(newest.root)));
  if (!isListed) {
    fault(`the newest one under STORAGE_URL, of ${newest.size} events, is not the last one listed`);
  }
}

async function lastListed(database: Queryable): Promise<Checkpoint | null> {
  const { rows } = await database.query<{ note: string }>(
    'SELECT note FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  return readCheckpoint(rows[0]?.note ?? '');
}

/** One statement, so that an append falls before both or after both. */
async function auditBeyond(database: Queryable, tell: Tell): Promise<void> {
  const { rows } = await database.query<{ position: number }>(
    `SELECT position FROM events WHERE position < 1
        OR position > (SELECT max(position) FROM log_head) ORDER BY position LIMIT 10`,
  );
  for (const { position } of rows) {
    tell({ in: 'events', position, column: 'position', what: 'the head’s row does not cover it' });
  }
}

async function numberOf(database: Queryable, text: string): Promise<number | null> {
  const { rows } = await database.query<{ value: number | null }>(text);
  return rows[0]?.value ?? null;
}

function headFault(what: string): Fault {
  return { in: 'log_head', position: null, column: 'position', what };
}
