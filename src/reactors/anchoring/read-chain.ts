import type { LedgerTip, ValidatedLedger } from '../../ledger/contract.ts';

/** A validated ledger does not continue the previous one: the server changed to another chain. */
export class BrokenChain extends Error {
  constructor(index: number) {
    super(`ledger ${index} does not follow ledger ${index - 1}: their hashes do not match`);
    this.name = 'BrokenChain';
  }
}

const rememberedLedgers = 64;
/** Number of whole ledgers kept, for transactions that were signed while they were read. */
const keptLedgers = 4;

/** The ledgers that were read lately. They form a chain. */
export class ReadChain {
  readonly #read = new Map<number, LedgerTip & Pick<ValidatedLedger, 'parentHash'>>();
  readonly #whole = new Map<number, ValidatedLedger>();
  #newest = 0;

  /** Index of the newest one; 0 if there is none. */
  get newest(): number {
    return this.#newest;
  }

  clear(): void {
    this.#newest = 0;
    this.#read.clear();
    this.#whole.clear();
  }

  /** Throws `BrokenChain` if the ledger does not fit its neighbours. */
  add(ledger: ValidatedLedger): void {
    const { index, hash, closeTime, parentHash } = ledger;
    const before = this.#read.get(index - 1);
    const after = this.#read.get(index + 1);
    if (before && before.hash !== parentHash) throw new BrokenChain(index);
    if (after && after.parentHash !== hash) throw new BrokenChain(index + 1);
    this.#read.set(index, { index, hash, closeTime, parentHash });
    this.#newest = Math.max(this.#newest, index);
    keepNewest(this.#read, rememberedLedgers);
    this.#whole.set(index, ledger);
    keepNewest(this.#whole, keptLedgers);
  }

  /** The whole ledger, if it is one of the last that were added; otherwise null. */
  whole(index: number): ValidatedLedger | null {
    return this.#whole.get(index) ?? null;
  }

  /** The tip as its ledger states it, if that was added lately; otherwise null. */
  tip({ index, hash }: LedgerTip): LedgerTip | null {
    const read = this.#read.get(index);
    return read?.hash === hash ? { index, hash, closeTime: read.closeTime } : null;
  }
}

function keepNewest(entries: Map<number, unknown>, count: number): void {
  const [oldest] = entries.keys();
  if (entries.size > count && oldest !== undefined) entries.delete(oldest);
}
