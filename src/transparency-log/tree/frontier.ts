import { joinSubtrees, nodeHash } from './merkle-hash.ts';

/**
 * The right edge of a growing tree: one hash for each binary digit 1 of the tree's size. The edge
 * suffices to compute the root and to append leaves.
 */
export class Frontier {
  #size = 0;
  /** Hashes of the complete subtrees from left to right, the largest first. */
  readonly #hashes: Buffer[] = [];

  get size(): number {
    return this.#size;
  }

  /** A frontier of the same tree, which grows by itself. */
  copy(): Frontier {
    const copy = new Frontier();
    copy.#size = this.#size;
    copy.#hashes.push(...this.#hashes);
    return copy;
  }

  /** @param leaf 32 bytes: the hash of the leaf, not its content */
  append(leaf: Buffer): void {
    this.appendSubtree(leaf, 1);
  }

  /**
   * Appends a complete subtree.
   * @param root 32 bytes
   * @param count number of its leaves: a power of two that divides the size of the tree
   */
  appendSubtree(root: Buffer, count: number): void {
    if (this.#size % count !== 0) throw new RangeError(`no subtree of ${count} fits here`);
    let hash = root;
    for (let left = this.#size / count; left % 2 === 1; left = (left - 1) / 2) {
      hash = nodeHash(this.#hashes.pop() as Buffer, hash);
    }
    this.#hashes.push(hash);
    this.#size += count;
  }

  /** The hashes of the complete subtrees, the largest first. */
  get hashes(): readonly Buffer[] {
    return this.#hashes;
  }

  /** The root of the current tree; without leaves, the empty root of RFC 6962. */
  root(): Buffer {
    return joinSubtrees(this.#hashes);
  }
}

/** The root of the tree over these leaf hashes. */
export function rootOf(leaves: Iterable<Buffer>): Buffer {
  const frontier = new Frontier();
  for (const leaf of leaves) frontier.append(leaf);
  return frontier.root();
}
