import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  readCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import type { Findings } from '../findings/findings.ts';
import type { LogEpochs } from '../history/log-epochs.ts';
import type { Queryable } from '../rows/read-rows.ts';
import { type CheckpointRow, openRow } from './checkpoint-audit.ts';
import type { KnownKeys } from './known-keys.ts';
import type { PublishedReader } from './published-reader.ts';

const lookAgainMs = 100;

export const underStorageUrl = 'under STORAGE_URL';

/** A log with its list of checkpoints and its storage. */
export interface ListedLog {
  readonly database: Queryable;
  /** Null if the storage cannot be opened. */
  readonly published: PublishedReader | null;
  /** Place of `published` in messages, with its preposition; default `underStorageUrl`. */
  readonly place?: string;
  readonly findings: Findings;
  /** Time allowed between storage and listing of a checkpoint (default 5,000 ms). */
  readonly listedWithinMs?: number;
}

/**
 * Returns the checkpoint in the storage; null if there is no readable checkpoint. An unknown
 * signature is a fault.
 * @param known null: the signature is not verified
 */
export async function auditNewest(
  { database, published, place = underStorageUrl, findings }: ListedLog,
  known: KnownKeys | null,
): Promise<Checkpoint | null> {
  if (published === null) return null;
  const fault = (what: string) => reportCheckpointFault(findings, what);
  const note = await published.readCheckpoint();
  if (note === null) {
    const text = 'SELECT count(*) AS listed FROM published_checkpoints';
    const { rows } = await database.query<{ listed: number }>(text);
    const listed = rows[0]?.listed ?? 0;
    if (listed > 0) {
      fault(`${listed} checkpoints are listed in the database, but there is none ${place}`);
    }
    return null;
  }
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) {
    fault(`the newest checkpoint ${place} cannot be read`);
    return null;
  }
  if (known?.hasSigned(note) !== false) return checkpoint;
  fault(`the newest checkpoint ${place} is not signed by a known key of the log`);
  // The tiles may be sound: they are compared with the newest listed checkpoint then.
  const listed = await lastListed(database);
  return listed !== null && 'signers' in listed ? listed : null;
}

/**
 * Compares the newest checkpoint of the storage with the list. The list must have the same one at
 * once or soon, since a checkpoint is listed after it is stored. Until a new epoch has published a
 * checkpoint, the storage holds the last one that the restore names.
 */
export async function compareListed(
  listedLog: ListedLog,
  newest: Checkpoint,
  epochs: LogEpochs | null,
): Promise<void> {
  const { database, published, place = underStorageUrl } = listedLog;
  const { findings, listedWithinMs = 5_000 } = listedLog;
  const fault = (what: string) => reportCheckpointFault(findings, what);
  const origin = epochs?.origin ?? newest.origin;
  if (newest.origin !== origin) {
    const listed = await lastListed(database);
    const isOwn = listed !== null && 'origin' in listed && listed.origin === origin;
    if (epochs?.isLastPublished(newest) && !isOwn) return;
    fault(`the newest checkpoint ${place} belongs to ${newest.origin}, but this log is ${origin}`);
    return;
  }
  const until = performance.now() + listedWithinMs;
  let listed = await lastListed(database);
  while (isSmaller(listed, newest) && performance.now() < until) {
    await delay(lookAgainMs);
    listed = await lastListed(database);
  }
  // The audit of the list reports a damaged row.
  if (listed !== null && !('signers' in listed)) return;
  if (listed !== null && listed.size > newest.size) {
    // A checkpoint is stored before it is listed: by now the storage has this one or a later one.
    const behind = await untilStored(published, listed, until);
    if (behind === null) return;
    fault(
      `the newest checkpoint ${place} covers ${behind.size} events, but a checkpoint of ${listed.size} events is listed in the database. Later tiles were not compared`,
    );
    return;
  }
  const isListed =
    listed !== null && listed.size === newest.size && listed.root.equals(newest.root);
  if (!isListed) {
    fault(
      `the newest checkpoint ${place} covers ${newest.size} events, but it is not the last one listed in the database`,
    );
  }
}

/** Null as soon as the storage has this checkpoint or a later one; otherwise the one that it has. */
async function untilStored(
  published: PublishedReader | null,
  { origin, size }: Checkpoint,
  until: number,
): Promise<Checkpoint | null> {
  for (;;) {
    const stored = readCheckpoint((await published?.readCheckpoint()) ?? '');
    if (stored === null || stored.origin !== origin || stored.size >= size) return null;
    if (performance.now() >= until) return stored;
    await delay(lookAgainMs);
  }
}

type Listed = ReturnType<typeof openRow>;

/** The last listed checkpoint, or the fault of its row; null if none is listed. */
async function lastListed(database: Queryable): Promise<Listed | null> {
  const { rows } = await database.query<CheckpointRow>(
    `SELECT number, left(note, 65536) AS note, left(vkeys, 65536) AS vkeys, origin, size
     FROM published_checkpoints ORDER BY number DESC LIMIT 1`,
  );
  return rows[0] === undefined ? null : openRow(rows[0]);
}

function isSmaller(listed: Listed | null, newest: Checkpoint): boolean {
  return listed === null || ('signers' in listed && listed.size < newest.size);
}

function reportCheckpointFault({ reportFault }: Findings, what: string): void {
  reportFault({ in: 'checkpoints', position: null, column: null, what });
}
