import type { SignedTransaction } from '../../domain/ledger/transaction.ts';

/** The account that signed a transaction, and the ledger that it is for. */
type Signing = Pick<SignedTransaction, 'ledgerId' | 'account'>;

/**
 * Signed transactions with an unknown fate, by their ledger and account. Each item has one at most:
 * a later transaction replaces an earlier one.
 */
export class SignedByAccount<Item> {
  readonly #byAccount = new Map<string, Map<Item, SignedTransaction>>();

  set(item: Item, signed: SignedTransaction): void {
    const key = keyOf(signed);
    const own = this.#byAccount.get(key) ?? new Map<Item, SignedTransaction>();
    this.#byAccount.set(key, own.set(item, signed));
  }

  delete(item: Item, signed: Signing): void {
    const key = keyOf(signed);
    const own = this.#byAccount.get(key);
    own?.delete(item);
    if (own?.size === 0) this.#byAccount.delete(key);
  }

  /** Transactions of an account on one ledger. */
  of(ledgerId: string, account: string): Iterable<SignedTransaction> {
    return this.#byAccount.get(keyOf({ ledgerId, account }))?.values() ?? [];
  }
}

function keyOf({ ledgerId, account }: Signing): string {
  return `${ledgerId} ${account}`;
}
