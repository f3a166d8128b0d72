import type { Transaction } from '../codec/parse-transaction.ts';
import { baseFeeDrops, baseFeeOf } from '../engine/fees.ts';
import { isTef, isTem, type Result } from '../engine/result.ts';
import { type ReadView, readAccount } from '../engine/view.ts';
import { AccountQueue, type QueuedTransaction, retriesAllowed } from './account-queue.ts';
import { baseLevel, type FeeLimits, FeeMetrics } from './fee-metrics.ts';
import type { OpenLedger } from './open-ledger.ts';

/** Transactions that wait for the open-ledger fee to fall (rippled: TxQ). Levels are in 1/256 base fees. */
export class TransactionQueue {
  readonly metrics: FeeMetrics;
  readonly #accounts = new Map<string, AccountQueue>();
  #size = 0;
  /** Transactions that are pretended to be there, to make the ledger and its queue look full. */
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

  /** Level that a transaction needs to go straight into the open ledger. */
  requiredLevel(open: OpenLedger): bigint {
    return this.metrics.requiredLevel(open.transactions.size + this.pretended.open);
  }

  /** Level below which nothing is taken at all. */
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

  /** Highest level first; equal ones in an order that differs from ledger to ledger. */
  byFee(parentHash: string): QueuedTransaction[] {
    const salt = BigInt(`0x0${parentHash}`);
    const all = this.#all();
    const keys = new Map(all.map((each) => [each, BigInt(`0x${each.transaction.hash}`) ^ salt]));
    return all.sort((left, right) => {
      if (left.feeLevel !== right.feeLevel) return left.feeLevel > right.feeLevel ? -1 : 1;
      return (keys.get(left) ?? 0n) < (keys.get(right) ?? 0n) ? -1 : 1;
    });
  }

  /** Moves what pays enough into a new open ledger; what keeps failing is dropped. */
  accept(open: OpenLedger, loadFactor: number): void {
    const ordered = this.byFee(open.parentHash);
    const left = new Set(ordered);
    const places = new Map(ordered.map((entry, place) => [entry, place]));
    for (let place = 0; place < ordered.length; place += 1) {
      const entry = ordered[place];
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
      const nextPlace = next === undefined ? undefined : places.get(next);
      if (nextPlace !== undefined && nextPlace < place) place = nextPlace - 1;
    }
  }

  /** Learns from a closed ledger and drops what can no longer get into a later one. */
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

/** What a transaction pays, in levels; the free key change counts as if it paid the base fee. */
export function feeLevelPaid(view: ReadView, transaction: Transaction): bigint {
  const baseFee = baseFeeOf(view, transaction);
  const free = baseFee > 0n ? 0n : baseFeeDrops;
  return ((transaction.feeDrops + free) * baseLevel) / (baseFee + free);
}

/** The account's Sequence in the open ledger and the one that could be queued next; zero without account. */
export function sequencesOf(queue: TransactionQueue, view: ReadView, address: string) {
  const account = readAccount(view, address);
  if (account === undefined) return { next: 0, available: 0 };
  return { next: account.Sequence, available: queue.of(address).nextSequence(account.Sequence) };
}

function isHopeless(result: Result): boolean {
  return isTef(result) || isTem(result);
}
