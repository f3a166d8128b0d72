import { accountRootIndex } from '../codec/ledger-keys.ts';
import type { AccountRoot, LedgerEntry } from './ledger-entry.ts';

/** A source of entries by index, in upper-case hex. */
export interface ReadView {
  read(index: string): LedgerEntry | undefined;
}

/** Changes on top of another view, which stays unchanged until `mergeInto`. */
export class View implements ReadView {
  readonly #base: ReadView;
  readonly #changes = new Map<string, LedgerEntry | undefined>();

  constructor(base: ReadView) {
    this.#base = base;
  }

  read(index: string): LedgerEntry | undefined {
    return this.#changes.has(index) ? this.#changes.get(index) : this.#base.read(index);
  }

  readBase(index: string): LedgerEntry | undefined {
    return this.#base.read(index);
  }

  write(index: string, entry: LedgerEntry): void {
    this.#changes.set(index, entry);
  }

  erase(index: string): void {
    this.#changes.set(index, undefined);
  }

  /** Changed entries by index; undefined for an erased entry. */
  changes(): IterableIterator<[string, LedgerEntry | undefined]> {
    return this.#changes.entries();
  }

  mergeInto(target: View): void {
    for (const [index, entry] of this.#changes) target.#changes.set(index, entry);
  }
}

export function readAccount(view: ReadView, address: string): AccountRoot | undefined {
  const entry = view.read(accountRootIndex(address));
  return entry?.LedgerEntryType === 'AccountRoot' ? entry : undefined;
}

export function writeAccount(view: View, account: AccountRoot): void {
  view.write(accountRootIndex(account.Account), account);
}
