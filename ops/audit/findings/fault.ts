/** Part of a log that an audit checks. */
export type AuditedPart =
  | 'events'
  | 'log_head'
  | 'data_keys'
  | 'checkpoints'
  | 'tiles'
  | 'ledger'
  | 'timestamps'
  | 'references'
  | 'operations'
  | 'files'
  | 'projections';

/** Finding of an audit, with its place. */
interface Finding {
  readonly in: AuditedPart;
  /** Position of the event; null if the finding is not about an event. */
  readonly position: number | null;
  /** Column; several, separated by commas, if any of them may be at fault. Null if no column is. */
  readonly column: string | null;
  /** Text for people, with names of tiles, checkpoints or tables. */
  readonly what: string;
}

/** A violation of the expected state. */
export interface Fault extends Finding {
  /** Number of similar faults that this fault stands for; 1 if absent. */
  readonly times?: number;
  /** Findings elsewhere that follow from this fault; absent if there are none. */
  readonly consequences?: Consequences;
}

export interface Consequences {
  readonly count: number;
  /** The first of them, in words. */
  readonly first: readonly string[];
}

/** An item that could not be checked, with the reason. */
export type Unchecked = Finding;

/** Receives each fault as it is found. */
export type ReportFault = (fault: Fault) => void;

/** Receives each item that a restore has lost and named. It cannot be verified, and is no fault. */
export type ReportLost = (what: string) => void;

export function faultInWords({ in: part, position, column, what }: Finding): string {
  const at = position === null ? '' : ` position ${position}`;
  return `${part}${at}${column === null ? '' : ` (${column})`}: ${what}`;
}
