import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway, LedgerTip, ValidatedLedger } from '../../ledger/contract.ts';
import { lookUpFate } from './look-up-fate.ts';
import { type Outstanding, signedOf } from './outstanding.ts';
import { ReadChain } from './read-chain.ts';
import type { Fate } from './settlement.ts';

export interface Settled {
  readonly item: Outstanding;
  readonly fate: Fate;
}

/** An outstanding transaction, with the ledgers that may contain it and are still unread. */
interface Watched {
  readonly item: Outstanding;
  readonly unread: Set<number>;
}

const maxLookUpsPerRound = 50;
/** Number of fates that are recorded at once. Other work takes its turn in between. */
const recordedAtOnce = 100;
/**
 * Number of the newest ledgers that a server may get a moment after it has reported their successors. Older
 * ones that it lacks may be lost to it.
 */
const lateLedgers = 4;

/**
 * Finds the fate of outstanding transactions in validated ledgers, read in order. A transaction and
 * those that it has replaced have one fate, since they have one Sequence. A transaction can only be
 * in the ledgers minLedger + 1 … lastLedgerSequence. Each of these is read while the
 * transaction is watched. If none of them contains the transaction, it is definitively absent.
 *
 * A ledger that the server lacks is requested again in every round. Meanwhile, a transaction past
 * its last ledger is looked up by its hash. The answer `absent` counts only if all ledgers were
 * searched.
 */
export class LedgerReader {
  readonly #gateway: Pick<LedgerGateway, 'ledger' | 'lookUp'>;
  /** By the hash of the first transaction with the Sequence, which replacements do not change. */
  readonly #watched = new Map<string, Watched>();
  readonly #chain = new ReadChain();
  /** Ledgers that no server had, with the tip at the last request. */
  readonly #missingAt = new Map<number, number>();
  #lookedUpAt = 0;
  /** Transactions with a known fate that is not recorded yet. */
  readonly #decided = new Set<string>();
  #readTo = 0;

  constructor(gateway: Pick<LedgerGateway, 'ledger' | 'lookUp'>) {
    this.#gateway = gateway;
  }

  /** Forgets all ledgers read: another server may show other ledgers. */
  restart(): void {
    this.#watched.clear();
    this.#chain.clear();
    this.#missingAt.clear();
    this.#lookedUpAt = 0;
    this.#decided.clear();
    this.#readTo = 0;
  }

  /** Returns true if the transaction's fate is known: no open ledger has a place for it. */
  isDecided(transactionHash: string): boolean {
    return this.#decided.has(transactionHash);
  }

  /** The tip as its ledger states it, if that was read lately; otherwise null. */
  tipRead(tip: LedgerTip): LedgerTip | null {
    return this.#chain.tip(tip);
  }

  /** Index of the newest ledger that was read; 0 if there is none. */
  get newestRead(): number {
    return this.#chain.newest;
  }

  /**
   * Index of the newest ledger up to which all were read, apart from those that nothing outstanding can be
   * in, and from older ones (`lateLedgers`) that no server has.
   */
  get readTo(): number {
    return this.#readTo;
  }

  /**
   * Reads the ledgers up to `tip`. Calls `record` with the fates that each ledger decides, some at
   * a time. A ledger counts as read only when all its fates are recorded. Rejects with
   * `BrokenChain` if the ledgers do not form a chain.
   */
  async advance(
    tip: LedgerTip,
    outstanding: ReadonlyMap<string, Outstanding>,
    record: (settled: readonly Settled[]) => Promise<void>,
  ): Promise<void> {
    this.#watch(outstanding);
    for (const index of this.#missingAt.keys()) {
      if (!this.#isWanted(index)) this.#missingAt.delete(index);
    }
    for (const index of this.#wanted(tip.index)) {
      // An earlier ledger of this round may have settled everything that this one was needed for.
      if (!this.#isWanted(index)) continue;
      if (this.#missingAt.get(index) === tip.index) continue;
      const ledger = this.#chain.whole(index) ?? (await this.#gateway.ledger(index));
      if (ledger === null) {
        this.#missingAt.set(index, tip.index);
        continue;
      }
      this.#missingAt.delete(index);
      this.#chain.add(ledger);
      const decided = this.#decidedBy(ledger);
      this.#reached(index, tip);
      await this.#settle(decided, record);
      for (const { unread } of this.#watched.values()) unread.delete(index);
    }
    this.#reached(tip.index, tip);
    if (this.#lookedUpAt === tip.index) return;
    this.#lookedUpAt = tip.index;
    await this.#settle(await this.#lookUpPast(tip), record);
  }

  #reached(index: number, tip: LedgerTip): void {
    const late = [...this.#missingAt.keys()].filter((missing) => missing > tip.index - lateLedgers);
    this.#readTo = Math.max(this.#readTo, Math.min(index, ...late.map((missing) => missing - 1)));
  }

  async #settle(
    settled: readonly Settled[],
    record: (settled: readonly Settled[]) => Promise<void>,
  ): Promise<void> {
    for (const { item } of settled) this.#decided.add(item.signed.transactionHash);
    for (let start = 0; start < settled.length; start += recordedAtOnce) {
      const batch = settled.slice(start, start + recordedAtOnce);
      await record(batch);
      for (const { item } of batch) {
        this.#watched.delete(keyOf(item));
        this.#decided.delete(item.signed.transactionHash);
      }
    }
  }

  /** Watches exactly the transactions that are outstanding now. */
  #watch(outstanding: ReadonlyMap<string, Outstanding>): void {
    const wanted = new Map([...outstanding.values()].map((item) => [keyOf(item), item]));
    for (const [key, { item }] of this.#watched) {
      if (wanted.has(key)) continue;
      this.#watched.delete(key);
      this.#decided.delete(item.signed.transactionHash);
    }
    for (const [key, item] of wanted) {
      const unread = unreadFor(item, this.#watched.get(key));
      this.#watched.set(key, { item, unread });
    }
  }

  /** The unread ledgers up to the tip, ascending. */
  #wanted(tipIndex: number): number[] {
    const wanted = new Set<number>();
    for (const { unread } of this.#watched.values()) {
      for (const index of unread) if (index <= tipIndex) wanted.add(index);
    }
    return [...wanted].sort((a, b) => a - b);
  }

  #isWanted(index: number): boolean {
    for (const { unread } of this.#watched.values()) if (unread.has(index)) return true;
    return false;
  }

  #decidedBy(ledger: ValidatedLedger): Settled[] {
    const transactions = new Map(ledger.transactions.map((tx) => [tx.hash, tx]));
    const settled: Settled[] = [];
    for (const { item, unread } of this.#watched.values()) {
      const hash = hashesOf(item).find((each) => transactions.has(each));
      const transaction = hash === undefined ? undefined : transactions.get(hash);
      if (transaction) settled.push({ item, fate: { fate: 'validated', ledger, transaction } });
      else if (unread.size === 1 && unread.has(ledger.index)) {
        settled.push({ item, fate: { fate: 'absent' } });
      }
    }
    return settled;
  }

  /** Looks up unsettled transactions past their last ledger, the longest waiting first. */
  async #lookUpPast(tip: LedgerTip): Promise<Settled[]> {
    const past = [...this.#watched].filter(
      ([, { item }]) => item.signed.lastLedgerSequence < tip.index,
    );
    const settled: Settled[] = [];
    for (const [key, watched] of past.slice(0, maxLookUpsPerRound)) {
      this.#watched.delete(key);
      this.#watched.set(key, watched);
      const fate = await lookUpFate(this.#gateway, watched.item);
      if (fate) settled.push({ item: watched.item, fate });
    }
    return settled;
  }
}

/**
 * Ledgers to search for the item. Another process may have submitted a replacement whose record is
 * folded late. Ledgers that were read until then were not searched for it, so read them again.
 */
function unreadFor(item: Outstanding, before: Watched | undefined): Set<number> {
  const { transactionHash: newest } = item.signed;
  if (before?.item.signed.transactionHash === newest) return before.unread;
  const searched = new Set(before === undefined ? [] : hashesOf(before.item));
  const added = signedOf(item).filter(({ transactionHash }) => !searched.has(transactionHash));
  return new Set([...(before?.unread ?? []), ...added.flatMap(ledgersOf)]);
}

function keyOf({ signed, replaced }: Outstanding): string {
  return (replaced[0] ?? signed).transactionHash;
}

function hashesOf(item: Outstanding): readonly string[] {
  return signedOf(item).map(({ transactionHash }) => transactionHash);
}

/** The ledgers that may contain the transaction, ascending. */
function ledgersOf({ minLedger, lastLedgerSequence }: SignedTransaction): number[] {
  const count = lastLedgerSequence - minLedger;
  return Array.from({ length: count }, (_, offset) => minLedger + 1 + offset);
}
