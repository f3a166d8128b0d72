import type { NoteVerifier } from '../../src/transparency-log/checkpoint/note-key.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import type { Findings } from './findings.ts';
import type { KeyAudit } from './key-audit.ts';
import type { ReadOutside } from './outside-checkpoint.ts';
import type { ReadLog } from './read-checked-rows.ts';
import type { Queryable } from './read-rows.ts';
import type { ReferenceAudit } from './reference-audit.ts';

/** Reads a published log. */
export type PublishedReader = Pick<LogStorage, 'readCheckpoint' | 'readTile'> &
  Partial<Pick<LogStorage, 'close'>>;

export interface AuditedLog {
  readonly database: Queryable;
  /** Absent: reads the rows without threads. */
  readonly readLog?: ReadLog;
  /** Null if the storage cannot be opened. */
  readonly published: PublishedReader | null;
  /** Known keys of the log; null: trust the keys that are listed beside each checkpoint. */
  readonly trusted: readonly NoteVerifier[] | null;
  /** False if `trusted` are keys of the configuration (default true: the auditor gave them). */
  readonly isTrustGiven?: boolean;
  /** Receives every row of the log. */
  readonly anchors?: AnchorAudit;
  /** Receives every row of the log. */
  readonly keys?: KeyAudit;
  /** Receives every row of the log that names others. */
  readonly references?: ReferenceAudit;
  /** Absent: only the log and its storage are compared. */
  readonly readOutside?: ReadOutside;
  readonly findings: Findings;
  /** `head` is null if its row is missing. */
  readonly onPosition?: (position: number, head: number | null) => void;
  /** Time allowed between storage and listing of a checkpoint (default 5,000 ms). */
  readonly listedWithinMs?: number;
}
