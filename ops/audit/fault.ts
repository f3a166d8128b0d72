/** Something that is not as it must be, and where. */
export interface Fault {
  readonly in: 'events' | 'log_head' | 'checkpoints' | 'tiles' | 'ledger' | 'projections';
  /** Of the event; null where it is none. */
  readonly position: number | null;
  /** The column; several, separated by commas, where it is one of them. Null where it is none. */
  readonly column: string | null;
  /** For people, with names of tiles, checkpoints or tables. */
  readonly what: string;
}

/** Hears of each fault as it is found. */
export type Tell = (fault: Fault) => void;

/** Hears of what a restore has lost, and says so: it cannot be verified, and that is no fault. */
export type TellLost = (what: string) => void;

export function faultInWords({ in: place, position, column, what }: Fault): string {
  const at = position === null ? '' : ` position ${position}`;
  return `${place}${at}${column === null ? '' : ` (${column})`}: ${what}`;
}
