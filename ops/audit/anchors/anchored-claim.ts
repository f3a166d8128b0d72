import type {
  SignedTransaction,
  ValidatedTransaction,
} from '../../../src/domain/ledger/transaction.ts';
import type { Network } from '../../../src/domain/network.ts';
import type { LedgerMemo } from '../../../src/domain/proof/memo.ts';

/** A transaction as the events state that it was signed and anchored. */
export interface AnchoredClaim {
  readonly network: Network;
  /** Without its blob if that is encrypted. */
  readonly sent: Omit<SignedTransaction, 'blob' | 'replaces'> & { readonly blob?: string };
  readonly anchor: ValidatedTransaction;
  /** Expected memo of the transaction, given its blob. */
  readonly memo: (blob: string) => LedgerMemo;
  /** True if the signature of the transaction is known to hold; false if it must be verified. */
  readonly isSigned: (blob: string) => boolean;
}
