import { nodeHash } from './merkle-hash.ts';
import { type LeafRange, type ReadNodes, rangeHashes, splitPoint } from './tree-node.ts';

/**
 * The audit path of RFC 6962 §2.1.1, from the leaf up: 32 bytes for each hash. `size` is the size
 * of the tree; `index` starts at 0 and is below `size`.
 */
export function proveInclusion(
  index: number,
  size: number,
  read: ReadNodes,
): Promise<readonly Buffer[]> {
  return rangeHashes(siblingsOf(index, size), read);
}

/**
 * Returns true if the proof leads from the leaf at this index to this root, in a tree of this size.
 */
export function verifyInclusion(of: {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}): boolean {
  return rootByInclusion(of)?.equals(of.root) ?? false;
}

/** The only root for which the proof is valid; null for a malformed proof. */
function rootByInclusion(of: {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
}): Buffer | null {
  const { index, size, proof } = of;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return null;
  if (index < 0 || index >= size) return null;
  if ([of.leaf, ...proof].some((hash) => hash.length !== 32)) return null;
  const siblings = siblingsOf(index, size);
  if (siblings.length !== proof.length) return null;
  return siblings.reduce<Buffer>((hash, { start }, at) => {
    const sibling = proof[at] as Uint8Array;
    return start > index ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  }, Buffer.from(of.leaf));
}

/** Ranges of the siblings on the path from the leaf to the root, from the leaf up. */
function siblingsOf(index: number, size: number): readonly LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} of ${size}`);
  const siblings: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      siblings.push({ start: middle, end });
      end = middle;
    } else {
      siblings.push({ start, end: middle });
      start = middle;
    }
  }
  return siblings.reverse();
}
