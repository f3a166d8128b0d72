import { joinSubtrees, nodeHash } from './merkle-hash.ts';

/**
 * The right edge of a growing tree: all that is needed of its leaves so far to know its root, and to
 * grow it. It holds one hash for each binary digit 1 of its size.
 */
export class Frontier {
  #size = 0;
  /** Of the complete subtrees from left to right, so from the largest to the smallest. */
  readonly #hashes: Buffer[] = [];

  get size(): number {
    return this.#size;
  }

  /** @param leaf 32 bytes: the hash of the leaf, not its content */
  append(leaf: Buffer): void {
    let hash = leaf;
    for (let left = this.#size; left % 2 === 1; left = (left - 1) / 2) {
      hash = nodeHash(this.#hashes.pop() as Buffer, hash);
    }
    this.#hashes.push(hash);
    this.#size += 1;
  }

  /** The hashes of the complete subtrees, the largest first. */
  get hashes(): readonly Buffer[] {
    return this.#hashes;
  }

  /** Of the tree as it is now; that of RFC 6962 for no leaves. */
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
