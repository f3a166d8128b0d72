import { Frontier } from '../../../src/transparency-log/tree/frontier.ts';

/**
 * The tree over the events as found, and the trees that the log may have had before a change. A
 * published or stored leaf replaces a row that differs from it. As long as both may be right, the
 * leaf is disputed, and there are two trees.
 */
export class AuditedTree {
  /** Over all rows, in order. */
  readonly #found = new Frontier();
  /** By position, with the row's own leaf where it is disputed; null: as found. */
  #own: Frontier | null = null;
  /** By position, with the other leaf where it is disputed; null: as `#own`. */
  #other: Frontier | null = null;
  #hasUnknown = false;

  /** Root over the rows as found. */
  root(): Buffer {
    return this.#found.root();
  }

  /** True if leaves of missing events are unknown, so that no root can be computed. */
  get hasUnknown(): boolean {
    return this.#hasUnknown;
  }

  /** Roots that the log may have at its present size. */
  get roots(): { readonly own: Buffer; readonly other: Buffer } {
    const own = (this.#own ?? this.#found).root();
    return { own, other: this.#other?.root() ?? own };
  }

  /** True while nothing is known to differ from what was found. */
  get isUndisputed(): boolean {
    return this.#own === null && this.#other === null;
  }

  /** Appends a subtree of sound rows, as `Frontier.appendSubtree`, while nothing differs. */
  appendSubtree(root: Buffer, count: number): void {
    this.#found.appendSubtree(root, count);
  }

  append(leaf: Buffer): void {
    this.#found.append(leaf);
    this.#own?.append(leaf);
    this.#other?.append(leaf);
  }

  /** @param other the published or stored leaf, of which it is unknown whether it is right */
  appendDisputed(own: Buffer, other: Buffer): void {
    this.#other ??= (this.#own ?? this.#found).copy();
    this.#found.append(own);
    this.#own?.append(own);
    this.#other.append(other);
  }

  /** @param leaf the right leaf of an altered row; null if unknown */
  appendAltered(found: Buffer, leaf: Buffer | null): void {
    this.appendMissing(leaf);
    this.#found.append(found);
  }

  /** @param leaf of a missing event; null if unknown */
  appendMissing(leaf: Buffer | null): void {
    this.#own ??= this.#found.copy();
    this.#hasUnknown ||= leaf === null;
    if (leaf === null) return;
    this.#own.append(leaf);
    this.#other?.append(leaf);
  }

  /** Adds a row that has no position of its own. */
  appendExtra(found: Buffer): void {
    this.#own ??= this.#found.copy();
    this.#found.append(found);
  }

  /** Decides all disputes so far. */
  settle(right: 'own' | 'other'): void {
    if (right === 'other' && this.#other !== null) this.#own = this.#other;
    this.#other = null;
  }
}
