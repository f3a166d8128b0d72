import type { Transaction } from '../codec/parse-transaction.ts';
import { baseFeeDrops, baseFeeOf } from '../engine/fees.ts';
import { isTef, isTem, type Result } from '../engine/result.ts';
import { type ReadView, readAccount } from '../engine/view.ts';
import { AccountQueue, type QueuedTransaction, retriesAllowed } from './account-queue.ts';
import { baseLevel, type FeeLimits, FeeMetrics } from './fee-metrics.ts';
import type { OpenLedger } from './open-ledger.ts';

/** Transactions that wait for a lower open-ledger fee (rippled: TxQ). Levels: 1/256 base fee. */
export class TransactionQueue {
  readonly metrics: FeeMetrics;
  readonly #accounts = new Map<string, AccountQueue>();
  #size = 0;
  /** Simulated transactions, which make the ledger and its queue look full. */
  pretended = { open: 0, queued: 0 };

  constructor(limits: FeeLimits) {
    this.metrics = new FeeMetrics(limits);
  }

  get size(): number {
    return this.#size + this.pretended.queued;
  }

  get isFull(): boolean {
    return this.size >= this.metrics.maxQueueSize;
  }

  of(account: string): AccountQueue {
    return this.#accounts.get(account) ?? new AccountQueue();
  }

  /** Required level to enter the open ledger directly. */
  requiredLevel(open: OpenLedger): bigint {
    return this.metrics.requiredLevel(open.transactions.size + this.pretended.open);
  }

  /** Minimum level to be accepted at all. */
  minimumLevel(): bigint {
    if (!this.isFull) return baseLevel;
    const lowest = this.byFee('').at(-1);
    return (lowest?.feeLevel ?? baseLevel) + 1n;
  }

  add(transaction: Transaction, feeLevel: bigint): void {
    let queue = this.#accounts.get(transaction.account);
    if (queue === undefined) {
      queue = new AccountQueue();
      this.#accounts.set(transaction.account, queue);
    }
    queue.add({ transaction, feeLevel, retriesLeft: retriesAllowed });
    this.#size += 1;
  }

  remove(entry: QueuedTransaction): void {
    const { account } = entry.transaction;
    const queue = this.#accounts.get(account);
    if (queue === undefined) return;
    queue.remove(entry);
    this.#size -= 1;
    if (queue.entries.length === 0) this.#accounts.delete(account);
  }

  /** Highest level first; the order of equal levels differs from ledger to ledger. */
  byFee(parentHash: string): QueuedTransaction[] {
    const salt = BigInt(`0x0${parentHash}`);
    const all = this.#all();
    const keys = new Map(all.map((each) => [each, BigInt(`0x${each.transaction.hash}`) ^ salt]));
    return all.sort((left, right) => {
      if (left.feeLevel !== right.feeLevel) return left.feeLevel > right.feeLevel ? -1 : 1;
      return (keys.get(left) ?? 0n) < (keys.get(right) ?? 0n) ? -1 : 1;
    });
  }

  /** Moves transactions that pay enough into a new open ledger; drops those that keep failing. */
  accept(open: OpenLedger, loadFactor: number): void {
    const ordered = this.byFee(open.parentHash);
    const left = new Set(ordered);
    const indexes = new Map(ordered.map((entry, index) => [entry, index]));
    for (let index = 0; index < ordered.length; index += 1) {
      const entry = ordered[index];
      if (entry === undefined || !left.has(entry)) continue;
      const { transaction } = entry;
      const first = this.of(transaction.account).entries[0];
      if (!transaction.usesTicket && first !== entry) continue;
      if (entry.feeLevel < this.requiredLevel(open)) return;
      const { result, changes } = open.apply(transaction, open.context(loadFactor));
      if (changes === undefined && !isHopeless(result) && entry.retriesLeft > 0) {
        entry.retriesLeft -= 1;
        continue;
      }
      const next = this.of(transaction.account).entries.find((each) => each !== entry);
      left.delete(entry);
      this.remove(entry);
      const nextIndex = next === undefined ? undefined : indexes.get(next);
      if (nextIndex !== undefined && nextIndex < index) index = nextIndex - 1;
    }
  }

  /** Learns from a closed ledger and drops transactions that can no longer enter a later one. */
  processClosed(levels: readonly bigint[], ledgerIndex: number): void {
    this.metrics.learn(levels);
    for (const entry of this.#all()) {
      const last = entry.transaction.lastLedgerSequence;
      if (last !== undefined && last <= ledgerIndex) this.remove(entry);
    }
  }

  clear(): void {
    this.#accounts.clear();
    this.#size = 0;
  }

  #all(): QueuedTransaction[] {
    return [...this.#accounts.values()].flatMap((queue) => queue.entries);
  }
}

/** Fee level that a transaction pays; the free key change counts as paying the base fee. */
export function feeLevelPaid(view: ReadView, transaction: Transaction): bigint {
  const baseFee = baseFeeOf(view, transaction);
  const free = baseFee > 0n ? 0n : baseFeeDrops;
  return ((transaction.feeDrops + free) * baseLevel) / (baseFee + free);
}

/** The account's Sequence in the open ledger, and the next to queue; zeros without an account. */
export function sequencesOf(queue: TransactionQueue, view: ReadView, address: string) {
  const account = readAccount(view, address);
  if (account === undefined) return { next: 0, available: 0 };
  return { next: account.Sequence, available: queue.of(address).nextSequence(account.Sequence) };
}

function isHopeless(result: Result): boolean {
  return isTef(result) || isTem(result);
}
