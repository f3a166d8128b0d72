import type { LedgerAttested, ValidatorListPublished } from './events.ts';

/** Recorded evidence that a ledger is validated: signatures of its validators. Bytes in base64. */
export interface RecordedAttestation {
  /** Of the ledger's transaction tree. */
  readonly leaves: string;
  /** Headers from the ledger to the signed one, packed; empty if they are the same. */
  readonly chain: string;
  /** The signed ledger. */
  readonly attested: LedgerAttested['data'];
  /** Lists by which its validations are a quorum. */
  readonly lists: readonly ValidatorListPublished['data'][];
}
