import { ticketIndex } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { type ReadView, readAccount } from '../engine/view.ts';
import { bySequence } from './canonical-order.ts';

/** Ledgers for which a submitted transaction is retried, after any first result. */
const ledgersKept = 5;

interface Local {
  readonly transaction: Transaction;
  readonly lastLedgerIndex: number;
}

/**
 * Transactions submitted here, retried on every new open ledger until they are in a ledger or can
 * no longer be (rippled: LocalTxs). So a `tel` or `ter` result is not final.
 */
export class LocalTransactions {
  #all = new Map<string, Local>();

  add(transaction: Transaction, openLedgerIndex: number): void {
    const last = transaction.lastLedgerSequence ?? Number.POSITIVE_INFINITY;
    const lastLedgerIndex = Math.min(openLedgerIndex + ledgersKept, last + 1);
    this.#all.set(transaction.hash, { transaction, lastLedgerIndex });
  }

  /** Drops the transactions that a closed ledger has settled. */
  sweep(state: ReadView, closedLedgerIndex: number): void {
    for (const [hash, { transaction, lastLedgerIndex }] of this.#all) {
      const settled = closedLedgerIndex > lastLedgerIndex || isUsedUp(state, transaction);
      if (settled) this.#all.delete(hash);
    }
  }

  /** By account and Sequence, so that a chain of one account applies in one pass. */
  inOrder(): Transaction[] {
    return [...this.#all.values()]
      .map(({ transaction }) => transaction)
      .sort((left, right) =>
        left.account === right.account
          ? bySequence(left, right)
          : left.account < right.account
            ? -1
            : 1,
      );
  }

  clear(): void {
    this.#all.clear();
  }
}

function isUsedUp(state: ReadView, { account, sequence, usesTicket }: Transaction): boolean {
  const root = readAccount(state, account);
  if (root === undefined) return false;
  if (!usesTicket) return root.Sequence > sequence;
  return root.Sequence > sequence && state.read(ticketIndex(account, sequence)) === undefined;
}
