import { encode } from 'ripple-binary-codec';
import { stateLeafHash, upperHex } from '../codec/hashes.ts';
import { ShaMap } from '../codec/sha-map.ts';
import type { LedgerEntry } from '../engine/ledger-entry.ts';
import type { ReadView, View } from '../engine/view.ts';

/** The entries of the last validated ledger, and the tree whose root is its account_hash. */
export class StateTree implements ReadView {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #tree = new ShaMap();

  read(index: string): LedgerEntry | undefined {
    return this.#entries.get(index);
  }

  entries(): IterableIterator<[string, LedgerEntry]> {
    return this.#entries.entries();
  }

  put(index: string, entry: LedgerEntry): void {
    this.#entries.set(index, entry);
    const key = Buffer.from(index, 'hex');
    this.#tree.put(key, stateLeafHash(Buffer.from(encode(entry), 'hex'), key));
  }

  /** Applies the changes of a closed ledger. */
  commit(view: View): void {
    for (const [index, entry] of view.changes()) {
      if (entry !== undefined) {
        this.put(index, entry);
      } else {
        this.#entries.delete(index);
        this.#tree.remove(Buffer.from(index, 'hex'));
      }
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#tree.clear();
  }

  accountHash(): string {
    return upperHex(this.#tree.root());
  }
}
