import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import {
  type Children,
  innerHash,
  leafHash,
  nibble,
  type TransactionPath,
  type TreeItem,
  transactionHash,
} from '../../src/verifier/evidence/transaction-path.ts';

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

function packLevel(children: Children): Uint8Array {
  const bits = children.reduce((sum, child, place) => sum | (child ? 0x8000 >> place : 0), 0);
  const hashes = children.filter((child) => child !== undefined);
  return concatBytes(Uint8Array.of(bits >> 8, bits & 255), ...hashes);
}
