import type { ReadKey } from '../../../src/verifier/log/note-key.ts';
import type { AnchorAudit } from '../anchors/anchor-audit.ts';
import type { TimestampAudit } from '../anchors/timestamp-audit.ts';
import type { ListedLog } from '../checkpoints/newest-checkpoint.ts';
import type { ReadOutside } from '../outside/outside-checkpoint.ts';
import type { ReferenceAudit } from '../streams/reference-audit.ts';
import type { KeyAudit } from '../tables/key-audit.ts';
import type { ReadLog } from '../threads/read-checked-rows.ts';

export interface AuditedLog extends ListedLog {
  /** Absent: reads the rows without threads. */
  readonly readLog?: ReadLog;
  /** Known keys of the log; null: trust the keys that are listed beside each checkpoint. */
  readonly trusted: readonly ReadKey[] | null;
  /** False if `trusted` are keys of the configuration (default true: the auditor gave them). */
  readonly isTrustGiven?: boolean;
  /** Receives every row of the log. */
  readonly anchors?: AnchorAudit;
  /** Receives every row of the log. */
  readonly timestamps?: TimestampAudit;
  /** Receives every row of the log. */
  readonly keys?: KeyAudit;
  /** Receives every row of the log that names others. */
  readonly references?: ReferenceAudit;
  /** Absent: only the log and its storage are compared. */
  readonly readOutside?: ReadOutside;
  /** `head` is null if its row is missing. */
  readonly onPosition?: (position: number, head: number | null) => void;
}
