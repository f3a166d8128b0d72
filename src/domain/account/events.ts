import type { DefinitionsOf, EventOf } from '../event.ts';
import {
  beforeReplacements,
  type SignedTransaction,
  signedFacts,
  withoutReplacement,
} from '../ledger/transaction.ts';
import type { ProofId } from '../ulid.ts';

/**
 * Sequences taken for one batch of AnchorPrepared or for a CheckpointPrepared. Appended together
 * with these events at the expected version of the account's stream. This fences off a second
 * holder of the account.
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

/**
 * A signed no-op for a freed Sequence that later transactions depend on. It may replace an
 * outstanding one of the same Sequence.
 */
export type GapFillPrepared = EventOf<'GapFillPrepared', SignedTransaction>;

/**
 * The no-op is on a validated ledger (`validated`), or definitively is not (`absent`), and neither
 * is any that it has replaced.
 */
export type GapFillSettled = EventOf<
  'GapFillSettled',
  {
    readonly transactionHash: string;
    readonly sequence: number;
    readonly outcome: 'validated' | 'absent' | 'ledgerGone';
  }
>;

/** The account was retired: it anchors no more. Its anchors still verify. */
export type AccountRetired = EventOf<
  'AccountRetired',
  { readonly ledgerId: string; readonly account: string }
>;

export type AccountEvent = SequencesTaken | GapFillPrepared | GapFillSettled | AccountRetired;

export const accountEvents: DefinitionsOf<AccountEvent> = {
  SequencesTaken: { schema: 1, clear: ['ledgerId', 'account', 'taken'] },
  GapFillPrepared: {
    schema: 2,
    clear: [...signedFacts, 'blob'],
    upcasts: { 1: withoutReplacement },
    downcast: beforeReplacements,
  },
  GapFillSettled: { schema: 1, clear: ['transactionHash', 'sequence', 'outcome'] },
  AccountRetired: { schema: 1, clear: ['ledgerId', 'account'] },
};
