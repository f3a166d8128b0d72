/** Part of a log that an audit looks at. */
export type AuditedPart =
  | 'events'
  | 'log_head'
  | 'data_keys'
  | 'checkpoints'
  | 'tiles'
  | 'ledger'
  | 'projections';

/** Finding of an audit, and where it was made. */
export interface Finding {
  readonly in: AuditedPart;
  /** Of the event; null where it is none. */
  readonly position: number | null;
  /** The column; several, separated by commas, where it is one of them. Null where it is none. */
  readonly column: string | null;
  /** For people, with names of tiles, checkpoints or tables. */
  readonly what: string;
}

/** Something that is not as it must be, and where. */
export interface Fault extends Finding {
  /** Number of faults alike that this one stands for; 1 if absent. */
  readonly times?: number;
}

/** Something that could not be checked, with the reason: it may be right or wrong. */
export type Unchecked = Finding;

/** Hears of each fault as it is found. */
export type Tell = (fault: Fault) => void;

/** Hears of what a restore has lost, and says so: it cannot be verified, and that is no fault. */
export type TellLost = (what: string) => void;

export function faultInWords({ in: place, position, column, what }: Finding): string {
  const at = position === null ? '' : ` position ${position}`;
  return `${place}${at}${column === null ? '' : ` (${column})`}: ${what}`;
}
