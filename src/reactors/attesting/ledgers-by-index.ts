interface Ledger {
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
}

/** Ledgers of one chain, sorted by index. A place is found by bisection. */
export class LedgersByIndex<Kept extends Ledger> {
  #ledgers: Kept[] = [];

  /** Ascending. */
  get ascending(): readonly Kept[] {
    return this.#ledgers;
  }

  get size(): number {
    return this.#ledgers.length;
  }

  get newest(): Kept | null {
    return this.#ledgers.at(-1) ?? null;
  }

  /** The ledger with this index and hash; null if it is not kept. */
  find({ ledgerIndex, ledgerHash }: Ledger): Kept | null {
    return this.at(ledgerIndex).find((each) => each.ledgerHash === ledgerHash) ?? null;
  }

  /** All ledgers with this index. */
  at(ledgerIndex: number): readonly Kept[] {
    return this.#ledgers.slice(this.#placeOf(ledgerIndex), this.#placeOf(ledgerIndex + 1));
  }

  /** The first ledger after an index. */
  after(ledgerIndex: number): Kept | null {
    return this.#ledgers[this.#placeOf(ledgerIndex + 1)] ?? null;
  }

  /** The last ledger before an index. */
  before(ledgerIndex: number): Kept | null {
    return this.#ledgers[this.#placeOf(ledgerIndex) - 1] ?? null;
  }

  /** From an index on and before another, ascending. */
  between(from: number, before: number): readonly Kept[] {
    return this.#ledgers.slice(this.#placeOf(from), this.#placeOf(before));
  }

  add(ledger: Kept): void {
    this.#ledgers.splice(this.#placeOf(ledger.ledgerIndex + 1), 0, ledger);
  }

  /** False if no ledger with this index and hash is kept. */
  remove(ledger: Ledger): boolean {
    const found = this.find(ledger);
    if (found === null) return false;
    this.#ledgers.splice(this.#ledgers.indexOf(found, this.#placeOf(ledger.ledgerIndex)), 1);
    return true;
  }

  /** Removes all ledgers but these. */
  keep(kept: ReadonlySet<Kept>): void {
    this.#ledgers = this.#ledgers.filter((each) => kept.has(each));
  }

  /** Number of ledgers before an index. */
  #placeOf(ledgerIndex: number): number {
    let [low, high] = [0, this.#ledgers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ledgers[middle]?.ledgerIndex ?? 0) < ledgerIndex) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
