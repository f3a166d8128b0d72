import { bytesToHex } from '@noble/hashes/utils.js';
import { lengthPrefix, maxPrefixedBytes } from '../../domain/ledger/length-prefix.ts';
import { BadEvidence } from './bad-evidence.ts';
import { maxPathBytes } from './limits.ts';
import { sha512Half } from './sha512-half.ts';

/** A transaction of a ledger with its metadata, binary. */
export interface TreeItem {
  readonly blob: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * The path from a transaction to the root of its ledger's transaction tree (rippled, SHAMap): a
 * radix tree over the transaction's hash, of which each level takes four bits. Levels come root
 * first. A level is 16 bits, the highest for child 0, that say which other children the node has,
 * then the hashes of those.
 */
export type TransactionPath = Uint8Array;

export function transactionHash(blob: Uint8Array): Uint8Array {
  return sha512Half('transaction', blob);
}

/** Hash of a transaction's leaf: it covers transaction, metadata and the transaction's hash. */
export function leafHash({ blob, metadata }: TreeItem): Uint8Array {
  if (Math.max(blob.length, metadata.length) > maxPrefixedBytes) {
    throw new BadEvidence('path', 'the transaction is too large');
  }
  const parts = [lengthPrefix(blob.length), blob, lengthPrefix(metadata.length), metadata];
  return sha512Half('transactionWithMetadata', ...parts, transactionHash(blob));
}

/**
 * The root, in lower-case hex, to which a path leads from a transaction. The leaf is computed from
 * the transaction itself. So neither an inner node nor another kind of leaf can take its place.
 * Throws `BadEvidence` for a malformed path.
 */
export function followPath(item: TreeItem, path: TransactionPath): string {
  const levels = readLevels(path);
  const key = transactionHash(item.blob);
  let hash = leafHash(item);
  for (const [depth, others] of [...levels.entries()].reverse()) {
    const place = nibble(key, depth);
    if (others[place] !== undefined) {
      throw new BadEvidence('path', "the path has another node in the transaction's place");
    }
    hash = innerHash(others.with(place, hash));
  }
  return bytesToHex(hash);
}

/** The children of an inner node: 16 places, undefined where there is no child. */
export type Children = readonly (Uint8Array | undefined)[];

export function innerHash(children: Children): Uint8Array {
  return sha512Half('innerNode', ...children.map((child) => child ?? noChild));
}

const noChild = new Uint8Array(32);

/** Four bits of a transaction's hash. */
export function nibble(key: Uint8Array, depth: number): number {
  const byte = key[depth >> 1];
  if (byte === undefined) throw new BadEvidence('path', 'the path is longer than 64 levels');
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
}

/** Reads the other children of each level, root first. */
export function readLevels(path: TransactionPath): readonly Children[] {
  if (path.length === 0) throw new BadEvidence('path', 'the path is empty');
  if (path.length > maxPathBytes)
    throw new BadEvidence('path', 'the path is longer than 64 levels');
  let at = 0;
  const take = (length: number) => {
    if (length > path.length - at) throw new BadEvidence('path', 'the path ends within a level');
    at += length;
    return path.subarray(at - length, at);
  };
  const levels: Children[] = [];
  while (at < path.length) {
    const [high = 0, low = 0] = take(2);
    const bits = 256 * high + low;
    const hasChild = (place: number) => (bits & (0x8000 >> place)) !== 0;
    const child = () => {
      const hash = take(32);
      if (hash.every((byte) => byte === 0)) {
        throw new BadEvidence('path', 'the path names a child that is not there');
      }
      return hash;
    };
    levels.push(Array.from({ length: 16 }, (_, place) => (hasChild(place) ? child() : undefined)));
  }
  return levels;
}
