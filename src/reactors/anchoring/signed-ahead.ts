import type { SignedTransaction } from '../../domain/ledger/transaction.ts';

/** Places of accounts in the open ledger, by address. An account that is not named has any number. */
export type OpenPlaces = ReadonlyMap<string, number>;

/** Signed transactions that wait for a place in an open ledger: of each account in turn. */
export class SignedAhead {
  readonly #waiting = new Map<string, SignedTransaction[]>();
  readonly #places = new Map<string, number>();
  #size = 0;

  /** Number of waiting transactions. */
  get size(): number {
    return this.#size;
  }

  /** Adds transactions of any accounts, those of each in the order of Sequences. */
  add(batch: readonly SignedTransaction[]): void {
    for (const signed of batch) {
      const own = this.#waiting.get(signed.account) ?? [];
      own.push(signed);
      this.#waiting.set(signed.account, own);
    }
    this.#size += batch.length;
  }

  /** Replaces the places: those that `take` used since the last call count no more. */
  open(places: OpenPlaces): void {
    this.#places.clear();
    for (const [account, count] of places) this.#places.set(account, count);
  }

  /** Removes and returns the transactions that have a place now. */
  take(): SignedTransaction[] {
    const taken: SignedTransaction[] = [];
    for (const [account, own] of this.#waiting) {
      const places = this.#places.get(account) ?? own.length;
      const next = own.splice(0, Math.max(0, places));
      if (own.length === 0) this.#waiting.delete(account);
      if (this.#places.has(account)) this.#places.set(account, places - next.length);
      taken.push(...next);
    }
    this.#size -= taken.length;
    return taken;
  }
}
