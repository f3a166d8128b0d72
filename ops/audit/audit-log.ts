import type { NoteVerifier } from '../../src/transparency-log/checkpoint/note-key.ts';
import type { LogStorage } from '../../src/transparency-log/publish/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import { auditCheckpoints, lastNumber } from './checkpoint-audit.ts';
import type { AuditedPart } from './fault.ts';
import type { Findings } from './findings.ts';
import type { KeyAudit } from './key-audit.ts';
import { LogAudit, type NamedCheckpoint } from './log-audit.ts';
import { LogEpochs } from './log-epochs.ts';
import { type LogHistory, ownRows, readHistory } from './log-history.ts';
import { auditNewest, compareListed } from './newest-checkpoint.ts';
import { type Queryable, readRows } from './read-rows.ts';
import { TileAudit } from './tile-audit.ts';

export interface AuditedLog {
  readonly database: Queryable;
  /** Null where the storage cannot be opened. */
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'> | null;
  /** The log's keys as one knows them; null: whatever keys are listed beside a checkpoint. */
  readonly trusted: readonly NoteVerifier[] | null;
  /** Hears of every row too. */
  readonly anchors?: AnchorAudit;
  /** Hears of every row too. */
  readonly keys?: KeyAudit;
  readonly findings: Findings;
  readonly onPosition?: (position: number, head: number) => void;
  /** For how long a checkpoint may be in the storage before it is listed (5,000). */
  readonly listedWithinMs?: number;
}

const mostBeyond = 1_000;

/**
 * Audits the stored log up to the head that it has now: every row, the tree over all of them, every
 * published checkpoint and tile, stream versions, ids, and the head's row. Returns how many events
 * were audited. A part that cannot be read (undefined here) is a finding, and the others are audited.
 */
export async function auditLog(audited: AuditedLog): Promise<number> {
  const { database, published, findings } = audited;
  const attempt = <Result>(part: AuditedPart, what: string, work: () => Promise<Result>) =>
    findings.attempt({ in: part, what }, work, undefined);
  // In this order: what is published then is of events that the head, read later, covers.
  const newest =
    (await attempt('checkpoints', 'the newest one under STORAGE_URL', () =>
      auditNewest(audited),
    )) ?? null;
  const through = await attempt('checkpoints', 'the list', () => lastNumber(database, findings));
  const head = await attempt('log_head', 'its row', () =>
    numberOf(database, 'SELECT max(position) AS value FROM log_head'),
  );
  const upTo = Math.min(head ?? lastPosition, lastPosition);
  const history = await attempt(
    'events',
    'the stream of the log, and with it all checkpoints,',
    () => readHistory(ownRows(database, upTo)),
  );
  const isListed = through !== undefined && history !== undefined;
  const epochs = history === undefined ? null : LogEpochs.of(history);
  if (newest !== null && isListed) {
    await attempt('checkpoints', 'the last one of the list', () =>
      compareListed(audited, newest, epochs),
    );
  }
  const listed = { epochs, through: through ?? 0, findings };
  const tiles = newest?.origin === (epochs?.origin ?? newest?.origin);
  const log = new LogAudit({
    checkpoints: isListed ? auditCheckpoints(database, listed) : none(),
    tiles: newest && published && tiles ? new TileAudit(published, newest, findings) : null,
    history: history ?? noHistory,
    findings,
  });
  try {
    const isWhole = await findings.attempt(
      { in: 'events', what: () => `all that follows position ${log.position}` },
      () => readThrough(audited, log, { upTo, head: head ?? null }),
      false,
    );
    if (head === null) tellOfHead(findings, 'it is missing');
    if (isWhole) await log.end(head ?? null);
  } finally {
    log.close();
  }
  await attempt('events', 'rows that the head does not cover', () =>
    auditBeyond(database, findings),
  );
  return log.position;
}

const noHistory: LogHistory = { logId: null, restores: [], sizes: new Set() };
/** Greater numbers are not exact. */
const lastPosition = Number.MAX_SAFE_INTEGER;

async function* none(): AsyncGenerator<NamedCheckpoint> {}

async function readThrough(
  { database, anchors, keys, onPosition }: AuditedLog,
  log: LogAudit,
  { upTo, head }: { readonly upTo: number; readonly head: number | null },
): Promise<true> {
  for await (const row of readRows(database, { upTo })) {
    await log.add(row);
    await anchors?.add(row, log);
    keys?.add(row);
    onPosition?.(row.position, head ?? row.position);
  }
  return true;
}

/** One statement, so that an append falls before both or after both. */
async function auditBeyond(database: Queryable, findings: Findings): Promise<void> {
  const { rows } = await database.query<{ position: number | null; total: number }>(
    `SELECT position, count(*) OVER () AS total FROM events
     WHERE position < 1 OR position > (SELECT max(position) FROM log_head) OR position IS NULL
     ORDER BY position LIMIT ${mostBeyond}`,
  );
  const at = { in: 'events', column: 'position' } as const;
  for (const { position } of rows) {
    const what = position === null ? 'it is NULL' : 'the head’s row does not cover it';
    findings.tell({ ...at, position, what });
  }
  const times = (rows[0]?.total ?? 0) - rows.length;
  if (times > 0) {
    const what = `${times} more rows that the head’s row does not cover`;
    findings.tell({ ...at, position: null, what, times });
  }
}

async function numberOf(database: Queryable, text: string): Promise<number | null> {
  const { rows } = await database.query<{ value: number | null }>(text);
  return rows[0]?.value ?? null;
}

function tellOfHead({ tell }: Findings, what: string): void {
  tell({ in: 'log_head', position: null, column: 'position', what });
}
