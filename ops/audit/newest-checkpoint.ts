import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { AuditedLog } from './audited-log.ts';
import type { Findings } from './findings.ts';
import type { KnownKeys } from './known-keys.ts';
import type { LogEpochs } from './log-epochs.ts';
import type { Queryable } from './read-rows.ts';

const lookAgainMs = 100;

/**
 * Returns the checkpoint in the storage; null if there is no readable checkpoint. An unknown
 * signature is a fault.
 * @param known null: the signature is not verified
 */
export async function auditNewest(
  { database, published, findings }: AuditedLog,
  known: KnownKeys | null,
): Promise<Checkpoint | null> {
  if (published === null) return null;
  const fault = (what: string) => reportCheckpointFault(findings, what);
  const note = await published.readCheckpoint();
  if (note === null) {
    const text = 'SELECT count(*) AS listed FROM published_checkpoints';
    const { rows } = await database.query<{ listed: number }>(text);
    const listed = rows[0]?.listed ?? 0;
    if (listed > 0)
      fault(
        `${listed} checkpoints are listed in the database, but none is stored under STORAGE_URL`,
      );
    return null;
  }
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) {
    fault('the newest checkpoint under STORAGE_URL cannot be read');
    return null;
  }
  if (known?.hasSigned(note) === false) {
    fault('the newest checkpoint under STORAGE_URL is not signed by a known key of the log');
  }
  return checkpoint;
}

/**
 * Compares the newest checkpoint of the storage with the list. The list must have the same one at
 * once or soon, since a checkpoint is listed after it is stored. Until a new epoch has published a
 * checkpoint, the storage holds the last one that the restore names.
 */
export async function compareListed(
  { database, findings, listedWithinMs = 5_000 }: AuditedLog,
  newest: Checkpoint,
  epochs: LogEpochs | null,
): Promise<void> {
  const fault = (what: string) => reportCheckpointFault(findings, what);
  const origin = epochs?.origin ?? newest.origin;
  if (newest.origin !== origin) {
    const listed = await lastListed(database);
    if (epochs?.isLastPublished(newest) && listed?.origin !== origin) return;
    fault(
      `the newest checkpoint under STORAGE_URL belongs to ${newest.origin}, but this log is ${origin}`,
    );
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
    fault(
      `the newest checkpoint under STORAGE_URL covers ${newest.size} events, but it is not the last one listed in the database`,
    );
  }
}

async function lastListed(database: Queryable): Promise<Checkpoint | null> {
  const { rows } = await database.query<{ note: string }>(
    'SELECT left(note, 65536) AS note FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  return readCheckpoint(rows[0]?.note ?? '');
}

function reportCheckpointFault({ reportFault }: Findings, what: string): void {
  reportFault({ in: 'checkpoints', position: null, column: null, what });
}
