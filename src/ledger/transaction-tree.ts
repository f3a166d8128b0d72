import { lengthPrefix } from '../domain/ledger/length-prefix.ts';
import { sha512Half } from './sha512-half.ts';

/** One transaction of a ledger with its metadata, binary. `hash` is the transaction's. */
interface TreeItem {
  readonly hash: Buffer;
  readonly blob: Buffer;
  readonly metadata: Buffer;
}

interface Leaf {
  readonly key: Buffer;
  readonly hash: Buffer;
}

const emptyTree = Buffer.alloc(32);

/**
 * Root hash of a ledger's transaction tree: a 16-ary radix tree over the transaction hashes
 * (rippled, SHAMap). It commits to every transaction and its metadata, so a list with this root is
 * complete and unaltered.
 */
export function transactionTreeHash(items: readonly TreeItem[]): string {
  const leaves = items.map(leafOf);
  const root = leaves.length === 0 ? emptyTree : innerHash(leaves, 0);
  return root.toString('hex').toUpperCase();
}

/**
 * The tree without the transactions: of each the hash and the leaf's hash, ascending. The path of
 * any transaction to the root follows from these 64 bytes for each.
 */
export function transactionLeaves(items: readonly TreeItem[]): Buffer {
  const leaves = items.map(leafOf).sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(leaves.flatMap(({ key, hash }) => [key, hash]));
}

function leafOf({ hash, blob, metadata }: TreeItem): Leaf {
  const parts = [lengthPrefix(blob.length), blob, lengthPrefix(metadata.length), metadata];
  return { key: hash, hash: sha512Half('transactionWithMetadata', ...parts, hash) };
}

function innerHash(leaves: readonly Leaf[], depth: number): Buffer {
  const branches: Leaf[][] = Array.from({ length: 16 }, () => []);
  for (const leaf of leaves) branches[nibble(leaf.key, depth)]?.push(leaf);
  const hashes = branches.map((branch) => {
    const [only] = branch;
    if (only === undefined) return emptyTree;
    return branch.length === 1 ? only.hash : innerHash(branch, depth + 1);
  });
  return sha512Half('innerNode', ...hashes);
}

function nibble(key: Buffer, depth: number): number {
  const byte = key[depth >> 1];
  if (byte === undefined) throw new Error('two transactions of one ledger have the same hash');
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
}
