import { type LeafRange, splitPoint } from '../../verifier/log/audit-path.ts';
import { nodeHash } from './merkle-hash.ts';
import { type ReadNodes, rangeHashes } from './tree-node.ts';

/**
 * Builds the consistency proof of RFC 6962 §2.1.2: that the newer tree begins with all leaves of the older
 * one. It is empty if the older tree is empty or equal to the newer one.
 */
export function proveConsistency(
  older: number,
  newer: number,
  read: ReadNodes,
): Promise<readonly Buffer[]> {
  if (!(older >= 0 && older <= newer)) throw new RangeError(`no proof from ${older} to ${newer}`);
  if (older === 0) return Promise.resolve([]);
  const { siblings, start, end } = descend(older, newer);
  return rangeHashes(start === 0 ? siblings : [{ start, end }, ...siblings], read);
}

/** True if the proof shows that the tree `newer` begins with all leaves of the tree `older`. */
export function verifyConsistency(of: {
  readonly older: TreeHead;
  readonly newer: TreeHead;
  readonly proof: readonly Uint8Array[];
}): boolean {
  const { older, newer, proof } = of;
  if (![older.size, newer.size].every((size) => Number.isSafeInteger(size) && size >= 0))
    return false;
  if (older.size > newer.size || proof.some((hash) => hash.length !== 32)) return false;
  const newerRoot = Buffer.from(newer.root);
  if (older.size === newer.size) return proof.length === 0 && newerRoot.equals(older.root);
  if (older.size === 0) return proof.length === 0;
  const { siblings, start } = descend(older.size, newer.size);
  // If the older tree is a complete left subtree, the proof omits its root, which is known.
  const seed = start === 0 ? older.root : proof[0];
  const path = start === 0 ? proof : proof.slice(1);
  if (seed === undefined || path.length !== siblings.length) return false;
  const roots = rootsOf(Buffer.from(seed), path, siblings, older.size);
  return roots.older.equals(older.root) && roots.newer.equals(newerRoot);
}

/**
 * Reads the root of the first `older` leaves (at least one) of a tree. Null if the hashes that were
 * read do not lead to the root of that tree, and so prove nothing.
 */
export async function rootWithin(
  older: number,
  newer: TreeHead,
  read: ReadNodes,
): Promise<Buffer | null> {
  if (!(older >= 1 && older <= newer.size)) throw new RangeError(`no ${older} in ${newer.size}`);
  const { siblings, start, end } = descend(older, newer.size);
  const [seed, ...path] = await rangeHashes([{ start, end }, ...siblings], read);
  const roots = rootsOf(seed as Buffer, path, siblings, older);
  return roots.newer.equals(newer.root) ? roots.older : null;
}

/** The roots of both trees, from the hash of their last common subtree and those of its siblings. */
function rootsOf(
  seed: Buffer,
  path: readonly Uint8Array[],
  siblings: readonly LeafRange[],
  olderSize: number,
): { readonly older: Buffer; readonly newer: Buffer } {
  let [older, newer] = [seed, seed];
  for (const [at, sibling] of siblings.entries()) {
    const hash = path[at] as Uint8Array;
    newer = sibling.start >= olderSize ? nodeHash(newer, hash) : nodeHash(hash, newer);
    if (sibling.start < olderSize) older = nodeHash(hash, older);
  }
  return { older, newer };
}

/** Number of leaves and root (32 bytes) of a tree. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Finds the last subtree of the older tree that is also one of the newer, and its path's siblings. */
function descend(
  older: number,
  newer: number,
): LeafRange & { readonly siblings: readonly LeafRange[] } {
  const siblings: LeafRange[] = [];
  let [start, end] = [0, newer];
  while (end !== older) {
    const middle = start + splitPoint(end - start);
    if (older <= middle) {
      siblings.push({ start: middle, end });
      end = middle;
    } else {
      siblings.push({ start, end: middle });
      start = middle;
    }
  }
  return { start, end, siblings: siblings.reverse() };
}
