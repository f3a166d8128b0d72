import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { siblingsOf } from './audit-path.ts';

/** The place of a leaf in a tree: `index` starts at 0 and is below `size`. */
interface PlacedLeaf {
  /** 32 bytes. */
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  /** Hashes of 32 bytes, from the leaf up (RFC 6962, 2.1.1). */
  readonly proof: readonly Uint8Array[];
}

/**
 * Returns true if the proof leads from the leaf at this index to this root, in a tree of this size.
 */
export function verifyInclusion(of: PlacedLeaf & { readonly root: Uint8Array }): boolean {
  const root = rootByInclusion(of);
  return root !== null && isSame(root, of.root);
}

/** The only root for which the proof is valid; null for a malformed proof. */
function rootByInclusion({ leaf, index, size, proof }: PlacedLeaf): Uint8Array | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return null;
  if (index < 0 || index >= size) return null;
  if ([leaf, ...proof].some((hash) => hash.length !== hashBytes)) return null;
  const siblings = siblingsOf(index, size);
  if (siblings.length !== proof.length) return null;
  return siblings.reduce<Uint8Array>((hash, { start }, at) => {
    const sibling = proof[at] as Uint8Array;
    return start > index ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  }, leaf);
}

const hashBytes = 32;

/** The hash of an inner node: SHA-256 of a one byte, the left and the right hash (RFC 6962, 2.1). */
function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
