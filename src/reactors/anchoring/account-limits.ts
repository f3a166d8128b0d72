import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerFees } from '../../ledger/contract.ts';

/** Limits for the transactions of each account. */
export interface AccountLimits {
  /** Number of places in the open ledger. */
  readonly maxOpen: number;
  /** Maximum number of transactions that need a place, in the open ledger or the one after it. */
  readonly maxUnplaced: number;
  /** Maximum number of outstanding ones. */
  readonly maxOutstanding: number;
  /** Returns true if an outstanding transaction needs no place in the open ledger any more. */
  readonly isPlaced: (signed: SignedTransaction) => boolean;
}

/**
 * Number of transactions of one account that a server queues once fees have risen (rippled, TxQ).
 */
export const queueLimit = 10;
/**
 * Number of ledgers' transactions that may be outstanding: of the one after the open ledger, of the
 * open ledger, of the one that is being settled, and of one more.
 */
const outstandingLedgers = 4;

/**
 * Limits that follow from the fees. Once fees have risen, an account has its room in the queue;
 * before, also its share of an open ledger, and of the one after it: they are signed and on record
 * when that ledger opens. Transactions in a closed ledger leave their places to others before they
 * are settled, so that the open ledger is filled meanwhile.
 */
export function accountLimits(
  { openLedgerFeeDrops, baseFeeDrops, expectedLedgerSize }: LedgerFees,
  accounts: { readonly signers: readonly unknown[]; readonly maxOutstanding: number },
  isPlaced: AccountLimits['isPlaced'],
): AccountLimits {
  const part = Math.ceil(expectedLedgerSize / accounts.signers.length);
  if (openLedgerFeeDrops > baseFeeDrops || part <= queueLimit) {
    const isPlaced = () => false;
    return { maxOpen: queueLimit, maxUnplaced: queueLimit, maxOutstanding: queueLimit, isPlaced };
  }
  const maxOpen = Math.min(part, accounts.maxOutstanding);
  const maxOutstanding = maxOpen * outstandingLedgers;
  return { maxOpen, maxUnplaced: 2 * maxOpen, maxOutstanding, isPlaced };
}
