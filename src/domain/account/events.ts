import type { DefinitionsOf, EventOf } from '../event.ts';
import type { SignedTransaction } from '../ledger/transaction.ts';
import type { ProofId } from '../ulid.ts';

/**
 * The Sequences of one batch of AnchorPrepared, or of a CheckpointPrepared. Appended with them at the expected version of the
 * account's stream, it is the fence against two holders of one account.
 */
export type SequencesTaken = EventOf<
  'SequencesTaken',
  {
    readonly ledgerId: string;
    readonly account: string;
    readonly taken: readonly (
      | { readonly sequence: number; readonly proofId: ProofId }
      | { readonly sequence: number; readonly checkpointSize: number }
    )[];
  }
>;

/** A signed no-op that uses up a freed Sequence on which later transactions hang. */
export type GapFillPrepared = EventOf<'GapFillPrepared', SignedTransaction>;

/** The no-op is on a validated ledger (`validated`) or definitively is not (`absent`). */
export type GapFillSettled = EventOf<
  'GapFillSettled',
  {
    readonly transactionHash: string;
    readonly sequence: number;
    readonly outcome: 'validated' | 'absent' | 'ledgerGone';
  }
>;

/** Nothing is anchored from this account any more; what it anchored still verifies. */
export type AccountRetired = EventOf<
  'AccountRetired',
  { readonly ledgerId: string; readonly account: string }
>;

export type AccountEvent = SequencesTaken | GapFillPrepared | GapFillSettled | AccountRetired;

export const accountEvents: DefinitionsOf<AccountEvent> = {
  SequencesTaken: { schema: 1, clear: ['ledgerId', 'account', 'taken'] },
  GapFillPrepared: {
    schema: 1,
    clear: [
      'ledgerId',
      'account',
      'transactionHash',
      'blob',
      'sequence',
      'feeDrops',
      'minLedger',
      'lastLedgerSequence',
    ],
  },
  GapFillSettled: { schema: 1, clear: ['transactionHash', 'sequence', 'outcome'] },
  AccountRetired: { schema: 1, clear: ['ledgerId', 'account'] },
};
