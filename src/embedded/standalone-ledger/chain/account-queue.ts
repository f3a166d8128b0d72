import type { Transaction } from '../codec/parse-transaction.ts';
import { followingSequence } from '../engine/consequences.ts';
import { bySequence } from './canonical-order.ts';

export interface QueuedTransaction {
  readonly transaction: Transaction;
  readonly feeLevel: bigint;
  retriesLeft: number;
}

/** Failed attempts to enter an open ledger before a queued transaction is dropped. */
export const retriesAllowed = 10;

/** One account's queued transactions, in the order in which they can be applied. */
export class AccountQueue {
  #entries: QueuedTransaction[] = [];

  get entries(): readonly QueuedTransaction[] {
    return this.#entries;
  }

  /** Transactions that can still apply, without those whose Sequence is used. */
  from(accountSequence: number): readonly QueuedTransaction[] {
    return this.#entries.filter(
      ({ transaction }) => transaction.usesTicket || transaction.sequence >= accountSequence,
    );
  }

  find(transaction: Transaction): QueuedTransaction | undefined {
    return this.#entries.find((entry) => bySequence(entry.transaction, transaction) === 0);
  }

  add(entry: QueuedTransaction): void {
    this.#entries.push(entry);
    this.#entries.sort((left, right) => bySequence(left.transaction, right.transaction));
  }

  remove(entry: QueuedTransaction): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
  }

  /** The only Sequence that can be queued next: the first gap at or after the account's. */
  nextSequence(accountSequence: number): number {
    let next = accountSequence;
    for (const { transaction } of this.#entries) {
      if (!transaction.usesTicket && transaction.sequence === next)
        next = followingSequence(transaction);
    }
    return next;
  }
}
