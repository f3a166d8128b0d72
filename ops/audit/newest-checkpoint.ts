import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  openCheckpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { AuditedLog } from './audit-log.ts';
import type { Findings } from './findings.ts';
import type { LogEpochs } from './log-epochs.ts';
import type { Queryable } from './read-rows.ts';

const lookAgainMs = 100;

/** The checkpoint that the storage holds, verified; null if there is none that can be gone by. */
export async function auditNewest({
  database,
  published,
  trusted,
  findings,
}: AuditedLog): Promise<Checkpoint | null> {
  if (published === null) return null;
  const fault = (what: string) => tellOfCheckpoints(findings, what);
  const note = await published.readCheckpoint();
  if (note === null) {
    const text = 'SELECT count(*) AS listed FROM published_checkpoints';
    const { rows } = await database.query<{ listed: number }>(text);
    const listed = rows[0]?.listed ?? 0;
    if (listed > 0) fault(`${listed} are listed, but there is none under STORAGE_URL`);
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
 * Compares the newest checkpoint of the storage with the list, which must have the very same, at once or
 * soon: it is listed after it is stored. Until a new epoch has published something, the storage holds the
 * last one that the restore names.
 */
export async function compareListed(
  { database, findings, listedWithinMs = 5_000 }: AuditedLog,
  newest: Checkpoint,
  epochs: LogEpochs | null,
): Promise<void> {
  const fault = (what: string) => tellOfCheckpoints(findings, what);
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
    'SELECT left(note, 65536) AS note FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  return readCheckpoint(rows[0]?.note ?? '');
}

function tellOfCheckpoints({ tell }: Findings, what: string): void {
  tell({ in: 'checkpoints', position: null, column: null, what });
}
