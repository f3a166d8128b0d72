import type { Transaction } from '../codec/parse-transaction.ts';
import { type Applied, applyTransaction } from '../engine/apply-transaction.ts';
import type { ApplyContext } from '../engine/preclaim.ts';
import { type ReadView, View } from '../engine/view.ts';

/** The open ledger: provisional results on top of the last validated ledger. */
export class OpenLedger {
  readonly ledgerIndex: number;
  readonly parentHash: string;
  readonly view: View;
  readonly transactions = new Map<string, Transaction>();

  constructor(state: ReadView, parent: { readonly ledgerIndex: number; readonly hash: string }) {
    this.ledgerIndex = parent.ledgerIndex + 1;
    this.parentHash = parent.hash;
    this.view = new View(state);
  }

  context(loadFactor: number, failHard = false): ApplyContext {
    return { ledgerIndex: this.ledgerIndex, open: true, loadFactor, retry: false, failHard };
  }

  /** Applies at any fee level. A transaction that is already here fails by its Sequence. */
  apply(transaction: Transaction, context: ApplyContext): Applied {
    const applied = applyTransaction(this.view, transaction, context);
    if (applied.changes !== undefined) {
      applied.changes.mergeInto(this.view);
      this.transactions.set(transaction.hash, transaction);
    }
    return applied;
  }
}
