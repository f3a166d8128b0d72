import type { Transaction } from '../codec/parse-transaction.ts';
import { bySequence } from './canonical-order.ts';

/** Transactions with a `ter` result: they wait for their predecessor until the ledger closes. */
export class HeldTransactions {
  #byAccount = new Map<string, Transaction[]>();

  add(transaction: Transaction): void {
    const held = this.#byAccount.get(transaction.account) ?? [];
    const others = held.filter((each) => each.hash !== transaction.hash);
    this.#byAccount.set(transaction.account, [...others, transaction].sort(bySequence));
  }

  /** Removes and returns the transaction that can follow the given one, which was just applied. */
  takeNext({ account, sequence, usesTicket }: Transaction): Transaction | undefined {
    const held = this.#byAccount.get(account);
    const next = held?.find(
      (each) => each.usesTicket || (!usesTicket && each.sequence === sequence + 1),
    );
    if (next === undefined || held === undefined) return undefined;
    this.#byAccount.set(
      account,
      held.filter((each) => each !== next),
    );
    return next;
  }

  takeAll(): Transaction[] {
    const all = [...this.#byAccount.values()].flat();
    this.#byAccount.clear();
    return all;
  }
}
