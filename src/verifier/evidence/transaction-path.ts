import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
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

/**
 * The path of one of a ledger's transactions, which must be all of them, with the root in lower-case
 * hex. Throws if no transaction has the hash (upper- or lower-case hex).
 */
export function transactionPath(
  items: readonly TreeItem[],
  hash: string,
): { readonly path: TransactionPath; readonly root: string } {
  const leaves = items.map((item) => ({ key: transactionHash(item.blob), hash: leafHash(item) }));
  const wanted = leaves.find(({ key }) => bytesToHex(key) === hash.toLowerCase());
  if (wanted === undefined) throw new Error(`the ledger does not contain transaction ${hash}`);
  const levels: Uint8Array[] = [];
  let inside: readonly Leaf[] = leaves;
  for (let depth = 0; depth === 0 || inside.length > 1; depth += 1) {
    const place = nibble(wanted.key, depth);
    const children = childrenOf(inside, depth);
    levels.push(packLevel(children.with(place, undefined)));
    inside = inside.filter(({ key }) => nibble(key, depth) === place);
  }
  return { path: concatBytes(...levels), root: bytesToHex(nodeHash(leaves, 0)) };
}

interface Leaf {
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
}

/** The children of an inner node: 16 places, undefined where there is no child. */
export type Children = readonly (Uint8Array | undefined)[];

function childrenOf(leaves: readonly Leaf[], depth: number): Children {
  return Array.from({ length: 16 }, (_, place) => {
    const below = leaves.filter(({ key }) => nibble(key, depth) === place);
    const [only] = below;
    if (only === undefined) return undefined;
    return below.length === 1 ? only.hash : nodeHash(below, depth + 1);
  });
}

function nodeHash(leaves: readonly Leaf[], depth: number): Uint8Array {
  return innerHash(childrenOf(leaves, depth));
}

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

function packLevel(children: Children): Uint8Array {
  const bits = children.reduce((sum, child, place) => sum | (child ? 0x8000 >> place : 0), 0);
  const hashes = children.filter((child) => child !== undefined);
  return concatBytes(Uint8Array.of(bits >> 8, bits & 255), ...hashes);
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

/** Length prefix of a variable-length field (xrpl.org, "Length Prefixing"). */
export function lengthPrefix(length: number): Uint8Array {
  if (length <= 192) return Uint8Array.of(length);
  if (length <= 12_480) {
    const rest = length - 193;
    return Uint8Array.of(193 + (rest >> 8), rest & 255);
  }
  if (length > 918_744) throw new BadEvidence('path', 'the transaction is too large');
  const rest = length - 12_481;
  return Uint8Array.of(241 + (rest >> 16), (rest >> 8) & 255, rest & 255);
}
