import type { LedgerGateway, LedgerTip, ValidatedLedger } from '../../ledger/contract.ts';
import type { Outstanding } from './outstanding.ts';
import type { Fate } from './settlement.ts';

/** A validated ledger does not continue the one before it: the server changed to another chain. */
export class BrokenChain extends Error {
  constructor(ledger: ValidatedLedger, previous: LedgerTip) {
    super(
      `ledger ${ledger.index} does not follow the ledger ${previous.index} that was read before`,
    );
    this.name = 'BrokenChain';
  }
}

const maxLookUpsPerRound = 50;

/**
 * Reads the validated ledgers in order and tells the fate of what is outstanding. It has read every
 * ledger in which an outstanding transaction can be, so once one is past its last ledger without
 * having been seen, it is definitively absent; where the server lacks a ledger in between, the
 * transaction is looked up by hash instead.
 */
export class LedgerReader {
  readonly #gateway: Pick<LedgerGateway, 'ledger' | 'lookUp'>;
  /** The last ledger that was read or passed over; hash null if it was passed over. */
  #read: { readonly index: number; readonly hash: string | null } | null = null;
  /** From here on every ledger was read, up to `#read`. */
  #coveredFrom = Number.POSITIVE_INFINITY;
  /** Transactions of which a ledger could not be read. */
  readonly #uncovered = new Set<string>();
  #lookedUpAt = 0;

  constructor(gateway: Pick<LedgerGateway, 'ledger' | 'lookUp'>) {
    this.#gateway = gateway;
  }

  /** Forgets where it was: the next round starts before everything outstanding. */
  restart(): void {
    this.#read = null;
    this.#uncovered.clear();
  }

  /** Nothing is outstanding: nothing up to here needs to be read. */
  #passOver(tip: LedgerTip): void {
    this.#read = tip;
    this.#coveredFrom = tip.index;
    this.#uncovered.clear();
  }

  /** After which ledger to read on, if something may be in any ledger after `first`. */
  #startFor(first: number): number {
    const read = this.#read;
    if (read && this.#coveredFrom <= first && read.index >= first - 1) return read.index;
    this.#read = { index: first, hash: null };
    this.#coveredFrom = first;
    return first;
  }

  /**
   * Goes on to `tip`. `record` is called for each ledger that decides something, and must have put
   * the fates on record when it resolves; only then is the ledger counted as read.
   */
  async advance(
    tip: LedgerTip,
    outstanding: ReadonlyMap<string, Outstanding>,
    record: (fates: { item: Outstanding; fate: Fate }[]) => Promise<void>,
  ): Promise<void> {
    const open = new Map(outstanding);
    if (open.size === 0) {
      this.#passOver(tip);
      return;
    }
    const start = this.#startFor(Math.min(...[...open.values()].map((i) => i.signed.minLedger)));
    for (let index = start + 1; index <= tip.index && open.size > 0; index += 1) {
      const ledger = await this.#gateway.ledger(index);
      const fates = ledger ? this.#fatesIn(ledger, open) : this.#missing(index, open);
      if (fates.length > 0) await record(fates);
      for (const { item } of fates) open.delete(item.signed.transactionHash);
      this.#read = { index, hash: ledger?.hash ?? null };
    }
    if (open.size === 0) this.#passOver(tip);
    await this.#lookUpUncovered(tip, open, record);
  }

  #fatesIn(ledger: ValidatedLedger, open: ReadonlyMap<string, Outstanding>) {
    const previous = this.#read;
    if (previous?.hash && ledger.parentHash !== previous.hash) {
      throw new BrokenChain(ledger, { index: previous.index, hash: previous.hash });
    }
    const fates: { item: Outstanding; fate: Fate }[] = [];
    const seen = new Set<string>();
    for (const transaction of ledger.transactions) {
      const item = open.get(transaction.hash);
      if (!item) continue;
      seen.add(transaction.hash);
      fates.push({ item, fate: { fate: 'validated', ledger, transaction } });
    }
    for (const [hash, item] of open) {
      const past = item.signed.lastLedgerSequence <= ledger.index;
      if (past && !seen.has(hash) && !this.#uncovered.has(hash)) {
        fates.push({ item, fate: { fate: 'absent' } });
      }
    }
    return fates;
  }

  #missing(index: number, open: ReadonlyMap<string, Outstanding>): [] {
    for (const [hash, { signed }] of open) {
      if (signed.minLedger < index && index <= signed.lastLedgerSequence) this.#uncovered.add(hash);
    }
    return [];
  }

  async #lookUpUncovered(
    tip: LedgerTip,
    open: ReadonlyMap<string, Outstanding>,
    record: (fates: { item: Outstanding; fate: Fate }[]) => Promise<void>,
  ): Promise<void> {
    const fates: { item: Outstanding; fate: Fate }[] = [];
    if (this.#lookedUpAt === tip.index) return;
    this.#lookedUpAt = tip.index;
    const uncovered = [...open.values()].filter((i) =>
      this.#uncovered.has(i.signed.transactionHash),
    );
    for (const item of uncovered.slice(0, maxLookUpsPerRound)) {
      const fate = await this.#lookUp(item, tip);
      if (fate) fates.push({ item, fate });
    }
    if (fates.length > 0) await record(fates);
    for (const { item } of fates) this.#uncovered.delete(item.signed.transactionHash);
  }

  async #lookUp({ signed }: Outstanding, tip: LedgerTip): Promise<Fate | null> {
    const { transactionHash: hash, minLedger, lastLedgerSequence: maxLedger } = signed;
    const lookup = await this.#gateway.lookUp(hash, { minLedger, maxLedger });
    if (lookup.found === 'validated') {
      const ledger = await this.#gateway.ledger(lookup.ledgerIndex);
      const transaction = ledger?.transactions.find((candidate) => candidate.hash === hash);
      return ledger && transaction ? { fate: 'validated', ledger, transaction } : null;
    }
    const decided = lookup.found === 'absent' && lookup.searchedAll && tip.index > maxLedger;
    return decided ? { fate: 'absent' } : null;
  }
}
