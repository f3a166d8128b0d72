import { zeroHash } from '../codec/hashes.ts';
import { type LedgerHeader, ledgerHash } from '../codec/ledger-header.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { closeTimeAfter, closeTimeResolution, rippleSeconds } from '../codec/ripple-time.ts';
import { isTer, type Result } from '../engine/result.ts';
import type { AmendmentLack } from './amendment-lack.ts';
import {
  type BuiltLedger,
  buildLedger,
  type FinalTransaction,
  transactionTreeRoot,
} from './build-ledger.ts';
import { bySequence } from './canonical-order.ts';
import { applyOrEnqueue, type EnqueueOutcome } from './enqueue.ts';
import type { FeeLimits } from './fee-metrics.ts';
import { createGenesis } from './genesis.ts';
import type { History, StoredLedger } from './history.ts';
import { LocalTransactions } from './local-transactions.ts';
import { OpenLedger } from './open-ledger.ts';
import { SeenTransactions } from './seen-transactions.ts';
import { StateTree } from './state-tree.ts';
import { feeLevelPaid, sequencesOf, TransactionQueue } from './transaction-queue.ts';

interface NodeOptions extends FeeLimits {
  readonly networkId: number;
  /** Unix time in milliseconds. */
  readonly clock: () => number;
  /** Makes the id of a fresh chain: 32 bytes in hex, see createGenesis. */
  readonly newChainId: () => string;
  /** Makes a transaction end with a `tec` in the closed ledger, although it would succeed. */
  readonly verdict?: (transaction: Transaction) => Result | undefined;
}

/** Receives events of the node, in their order. */
export interface NodeListener {
  applied(transaction: Transaction, result: Result, ledgerIndex: number): void;
  closed(ledger: StoredLedger, transactions: readonly FinalTransaction[]): void;
}

interface Submitted extends EnqueueOutcome {
  readonly accepted: boolean;
  readonly broadcast: boolean;
  readonly kept: boolean;
  readonly queued: boolean;
  readonly openLedgerLevel: bigint;
  readonly nextSequence: number;
  readonly availableSequence: number;
}

/** A whole ledger of one server: takes transactions, closes ledgers, keeps their history. */
export class LedgerNode {
  readonly options: NodeOptions;
  readonly history: History;
  readonly queue: TransactionQueue;
  readonly seen = new SeenTransactions();
  readonly state = new StateTree();
  /** Factor on the base fee, from simulated load. */
  loadFactor = 1;
  /** Null on a server that knows every amendment of its network. */
  amendmentLack: AmendmentLack | null = null;
  #validated: StoredLedger;
  #open: OpenLedger;
  readonly #listener: NodeListener;
  readonly #locals = new LocalTransactions();
  readonly #held = new HeldTransactions();

  /** Continues the chain in `history`, or begins one if it is empty. */
  constructor(history: History, options: NodeOptions, listener: NodeListener) {
    this.history = history;
    this.options = options;
    this.#listener = listener;
    this.queue = new TransactionQueue(options);
    for (const [index, entry] of history.entries()) this.state.put(index, entry);
    this.#validated = history.last() ?? this.#begin();
    this.#open = new OpenLedger(this.state, this.#parent());
  }

  get validated(): StoredLedger {
    return this.#validated;
  }

  get open(): OpenLedger {
    return this.#open;
  }

  /** Applies, queues, holds or refuses a transaction with checked signature and content. */
  submit(transaction: Transaction, failHard: boolean): Submitted {
    this.seen.add(transaction);
    const outcome = this.#try(transaction, failHard);
    const { result, applied } = outcome;
    const queued = result === 'terQUEUED';
    const kept = !failHard || result === 'tesSUCCESS';
    if (kept) {
      if (isTer(result) && !queued) this.#held.add(transaction);
      this.#locals.add(transaction, this.#open.ledgerIndex);
    }
    const { next, available } = sequencesOf(this.queue, this.#open.view, transaction.account);
    const submitted = {
      ...outcome,
      accepted: applied || kept || queued,
      broadcast: (applied || queued) && kept,
      kept,
      queued,
      openLedgerLevel: this.queue.requiredLevel(this.#open),
      nextSequence: next,
      availableSequence: available,
    };
    if (result === 'tesSUCCESS') this.#applySuccessors(transaction);
    return submitted;
  }

  /** Closes the open ledger: makes it durable, fills the next one, announces the closed one. */
  close(): StoredLedger {
    for (const held of this.#held.takeAll()) this.#try(held, false);
    const before = this.#open;
    const { verdict } = this.options;
    const set = before.transactions.values();
    const built = buildLedger(this.state, set, before.ledgerIndex, verdict);
    const levels = built.final.map(({ transaction }) => feeLevelPaid(this.state, transaction));
    this.#append(built, this.options.clock());
    this.queue.processClosed(levels, before.ledgerIndex);
    this.#locals.sweep(this.state, before.ledgerIndex);
    this.#open = new OpenLedger(this.state, this.#parent());
    this.#refill(built.retriable);
    this.#listener.closed(this.#validated, built.final);
    return this.#validated;
  }

  /** Deletes everything and begins another chain. */
  reset(): void {
    this.history.clear();
    this.state.clear();
    this.queue.clear();
    this.seen.clear();
    this.#locals.clear();
    this.#held.takeAll();
    this.#validated = this.#begin();
    this.#open = new OpenLedger(this.state, this.#parent());
  }

  #try(transaction: Transaction, failHard: boolean): EnqueueOutcome {
    const { networkId } = this.options;
    const conditions = { networkId, loadFactor: this.loadFactor, failHard };
    const outcome = applyOrEnqueue(this.queue, this.#open, transaction, conditions);
    if (outcome.applied) {
      this.#listener.applied(transaction, outcome.result, this.#open.ledgerIndex);
    }
    return outcome;
  }

  #applySuccessors(transaction: Transaction): void {
    let next = this.#held.takeNext(transaction);
    while (next !== undefined) {
      const { result } = this.#try(next, false);
      if (isTer(result) && result !== 'terQUEUED') this.#held.add(next);
      next = result === 'tesSUCCESS' ? this.#held.takeNext(next) : undefined;
    }
  }

  #append(built: BuiltLedger, nowMs: number): void {
    const parent = this.#validated;
    this.state.commit(built.view);
    const header: LedgerHeader = {
      ledgerIndex: parent.header.ledgerIndex + 1,
      totalDrops: parent.header.totalDrops - built.burnedDrops,
      parentHash: parent.hash,
      transactionHash: built.final.length === 0 ? zeroHash : transactionTreeRoot(built.final),
      accountHash: this.state.accountHash(),
      parentCloseTime: parent.header.closeTime,
      closeTime: closeTimeAfter(parent.header.closeTime, rippleSeconds(nowMs)),
      closeTimeResolution,
      closeFlags: 0,
    };
    const ledger = { header, hash: ledgerHash(header) };
    this.history.append(ledger, built.final, built.view.changes());
    this.#validated = ledger;
  }

  /** Fills a new open ledger from the remaining transactions, the queue, and local submissions. */
  #refill(retriable: readonly Transaction[]): void {
    const context = this.#open.context(this.loadFactor);
    for (const transaction of retriable) this.#open.apply(transaction, context);
    this.queue.accept(this.#open, this.loadFactor);
    const { networkId } = this.options;
    const conditions = { networkId, loadFactor: this.loadFactor, failHard: false };
    for (const transaction of this.#locals.inOrder()) {
      applyOrEnqueue(this.queue, this.#open, transaction, conditions);
    }
  }

  #begin(): StoredLedger {
    const now = rippleSeconds(this.options.clock());
    const header = createGenesis(this.state, this.options.newChainId(), now);
    const ledger = { header, hash: ledgerHash(header) };
    this.history.append(ledger, [], this.state.entries());
    return ledger;
  }

  #parent() {
    return { ledgerIndex: this.#validated.header.ledgerIndex, hash: this.#validated.hash };
  }
}

/** Transactions with a `ter` result: they wait for their predecessor until the ledger closes. */
class HeldTransactions {
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
