import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from './bad-evidence.ts';
import { innerHash, nibble, type TransactionPath } from './transaction-path.ts';

/** A transaction's hash, and the hash of its leaf. */
interface Leaf {
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
}

const leafBytes = 64;

/**
 * The path of a transaction (hash in hex) from the leaves of its ledger's tree: of each transaction
 * its hash and its leaf's hash. Throws `BadEvidence` if the transaction is not among them.
 */
export function pathFromLeaves(leaves: Uint8Array, transactionHash: string): TransactionPath {
  const wanted = hexToBytes(transactionHash);
  let inside = readLeaves(leaves);
  if (!inside.some(({ key }) => bytesToHex(key) === bytesToHex(wanted))) {
    throw new BadEvidence('path', `transaction ${transactionHash} is not in the tree`);
  }
  const levels: Uint8Array[] = [];
  for (let depth = 0; depth === 0 || inside.length > 1; depth += 1) {
    const place = nibble(wanted, depth);
    const children = childrenOf(inside, depth);
    const others = children.with(place, undefined);
    const bits = others.reduce((sum, child, at) => sum | (child ? 0x8000 >> at : 0), 0);
    const hashes = others.filter((child) => child !== undefined);
    levels.push(concatBytes(Uint8Array.of(bits >> 8, bits & 255), ...hashes));
    inside = inside.filter(({ key }) => nibble(key, depth) === place);
  }
  return concatBytes(...levels);
}

/**
 * The root of a ledger's transaction tree from its leaves, in lower-case hex; zeros without any.
 * Throws `BadEvidence`.
 */
export function rootOfLeaves(leaves: Uint8Array): string {
  const all = readLeaves(leaves);
  return all.length === 0 ? '0'.repeat(64) : bytesToHex(innerHash(childrenOf(all, 0)));
}

export function readLeaves(bytes: Uint8Array): readonly Leaf[] {
  if (bytes.length % leafBytes !== 0) throw new BadEvidence('path', 'the tree ends within a leaf');
  return Array.from({ length: bytes.length / leafBytes }, (_, at) => ({
    key: bytes.subarray(at * leafBytes, at * leafBytes + 32),
    hash: bytes.subarray(at * leafBytes + 32, (at + 1) * leafBytes),
  }));
}

function childrenOf(leaves: readonly Leaf[], depth: number): (Uint8Array | undefined)[] {
  return Array.from({ length: 16 }, (_, place) => {
    const below = leaves.filter(({ key }) => nibble(key, depth) === place);
    const [only] = below;
    if (only === undefined) return undefined;
    return below.length === 1 ? only.hash : innerHash(childrenOf(below, depth + 1));
  });
}
