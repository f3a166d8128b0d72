import type { Network } from '../network.ts';

/**
 * How far the log had come when something that it had signed was about to be submitted. It does not
 * go back with the database, as what is on the ledger does not: a log that lacks this event has
 * forgotten signatures.
 */
export interface SubmittedMark {
  readonly origin: string;
  /** Of an event that is not before any signature that was submitted by then … */
  readonly position: number;
  /** … whose leaf (lower-case hex) this is. */
  readonly leaf: string;
  readonly network: Network;
  /** No ledger after this one can have what was submitted by then. */
  readonly lastLedger: number;
}

/** More ledgers than any signed transaction lives for. */
export const liveAtMost = 100;
