import { hash } from 'node:crypto';

/** The root of a tree without leaves: SHA-256 of the empty string (RFC 6962 §2.1). */
const emptyRoot = hash('sha256', '', 'buffer');

export const hashBytes = 32;

/** SHA-256(0x01 ‖ left ‖ right): the hash of an inner node of the tree (RFC 6962 §2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + 2 * hashBytes);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + hashBytes);
  // As a string first: bytes of their own would cost an allocation outside the heap.
  return Buffer.from(hash('sha256', bytes, 'latin1'), 'latin1');
}

/**
 * Replaces hashes by the root over them, which is then at the beginning of the bytes. So a complete
 * subtree costs no object for each of its nodes.
 * @param hashes 32 bytes each; their number is a power of two
 */
export function foldSubtree(hashes: Buffer): Buffer {
  for (let length = hashes.length; length > hashBytes; length /= 2) {
    for (let at = 0; at < length; at += 2 * hashBytes) {
      hashes.copy(node, 1, at, at + 2 * hashBytes);
      hashes.write(hash('sha256', node, 'latin1'), at / 2, 'latin1');
    }
  }
  return hashes.subarray(0, hashBytes);
}

/** An inner node: 0x01 and two hashes. */
const node = Buffer.alloc(1 + 2 * hashBytes, 1);

/** The hash over adjacent subtrees, the largest first; `emptyRoot` for an empty list. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  const last = hashes.at(-1);
  if (last === undefined) return emptyRoot;
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}
