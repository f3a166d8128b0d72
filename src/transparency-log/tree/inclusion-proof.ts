import { nodeHash } from './merkle-hash.ts';
import { type LeafRange, type ReadNodes, rangeHashes, splitPoint } from './tree-node.ts';

/**
 * The audit path of RFC 6962 §2.1.1, from the leaf up: 32 bytes for each hash. `size` is that of the
 * tree, `index` (from 0) is below it.
 */
export function proveInclusion(
  index: number,
  size: number,
  read: ReadNodes,
): Promise<readonly Buffer[]> {
  return rangeHashes(siblingsOf(index, size), read);
}

/** Whether the proof shows that the leaf is at this index of the tree with this size and root. */
export function verifyInclusion(of: {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}): boolean {
  return rootByInclusion(of)?.equals(of.root) ?? false;
}

/** The only root with which the proof holds; null if none does. */
export function rootByInclusion(of: {
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

/** What stands beside the path from the leaf to the root, from the leaf up. */
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
