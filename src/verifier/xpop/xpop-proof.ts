import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import {
  type Children,
  innerHash,
  leafHash,
  nibble,
  readLevels,
  type TransactionPath,
  type TreeItem,
  transactionHash,
} from '../evidence/transaction-path.ts';
import type { XpopList, XpopNode, XpopProof } from './xpop.ts';

/**
 * The root, in lower-case hex, to which the tree of an XPOP leads from a transaction. Hashes every
 * node of the tree anew, and finds the transaction's leaf at the place that its hash leads to.
 * Throws `BadEvidence` if the leaf is not there, or if a stated hash is not the node's.
 */
export function followProof(item: TreeItem, proof: XpopProof): string {
  const tree = isList(proof) ? readList(proof, 0) : readNode(proof, 0);
  const key = transactionHash(item.blob);
  let found: Tree | undefined = tree;
  for (let depth = 0; found?.children; depth += 1) found = found.children[nibble(key, depth)];
  if (found === tree || found === undefined || !isSame(found.hash, leafHash(item))) {
    throw new BadEvidence('path', 'the tree does not have this transaction in its place');
  }
  return bytesToHex(tree.hash);
}

/** A node with its true hash. Without `children` the hash is all that is known. */
interface Tree {
  readonly hash: Uint8Array;
  readonly children?: readonly (Tree | undefined)[];
}

function isList(proof: XpopProof): proof is XpopList {
  return Array.isArray(proof);
}

function readList(list: XpopList, depth: number): Tree {
  if (list.length !== 16) throw malformed('a node has not 16 children');
  if (depth >= maxDepth) throw malformed('it is too deep');
  return inner(
    list.map((child) => {
      if (Array.isArray(child)) return readList(child, depth + 1);
      const hash = readHash(child);
      return hash.some((byte) => byte !== 0) ? { hash } : undefined;
    }),
  );
}

function readNode(node: XpopNode, depth: number): Tree {
  const { hash, children } = (node ?? {}) as Partial<XpopNode>;
  const stated = readHash(hash);
  if (typeof children !== 'object' || children === null || Array.isArray(children)) {
    throw malformed('a node names no children');
  }
  const named = Object.entries(children);
  if (named.length === 0) return { hash: stated };
  if (depth >= maxDepth) throw malformed('it is too deep');
  const below: (Tree | undefined)[] = Array.from({ length: 16 }, () => undefined);
  for (const [digit, child] of named) {
    if (!/^[0-9A-Fa-f]$/.test(digit)) throw malformed('a child has no hexadecimal digit');
    const place = Number.parseInt(digit, 16);
    if (below[place] !== undefined) throw malformed('two children have the same place');
    below[place] = readNode(child, depth + 1);
  }
  const tree = inner(below);
  if (!isSame(tree.hash, stated)) {
    throw new BadEvidence('path', 'a node of the tree states another hash than its children give');
  }
  return tree;
}

function inner(children: readonly (Tree | undefined)[]): Tree {
  return { hash: innerHash(children.map((child) => child?.hash)), children };
}

function readHash(value: unknown): Uint8Array {
  if (typeof value === 'string' && /^[A-Fa-f0-9]{64}$/.test(value)) return hexToBytes(value);
  throw malformed('a node has no hash');
}

const maxDepth = 64;

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function malformed(why: string): BadEvidence {
  return new BadEvidence('malformed', `the tree of the XPOP is malformed: ${why}`);
}

/** The list form of a transaction's path. */
export function listProof(item: TreeItem, path: TransactionPath): XpopList {
  const key = transactionHash(item.blob);
  let below: string | XpopList = upperHex(leafHash(item));
  for (const [depth, others] of [...readLevels(path).entries()].reverse()) {
    const hashes: (string | XpopList)[] = others.map((child) =>
      child ? upperHex(child) : noChild,
    );
    below = hashes.with(nibble(key, depth), below);
  }
  return below as XpopList; // a path has at least one level
}

const noChild = '0'.repeat(64);

/**
 * The tree form of a transaction's path: only its nodes are unfolded. The keys of other nodes are
 * not known to a path, so theirs end in zeros. They take no part in hashing.
 */
export function treeProof(item: TreeItem, path: TransactionPath): XpopNode {
  const key = transactionHash(item.blob);
  const digits = upperHex(key);
  const node = (hash: Uint8Array, prefix: string, children = {}): XpopNode => ({
    children,
    hash: upperHex(hash),
    key: prefix.padEnd(64, '0'),
  });
  const leaf = leafHash(item);
  let [below, hash] = [node(leaf, digits), leaf];
  for (const [depth, others] of [...readLevels(path).entries()].reverse()) {
    const prefix = digits.slice(0, depth);
    const whole: Children = others.with(nibble(key, depth), hash);
    const children = Object.fromEntries(
      whole.flatMap((child, place) => {
        const digit = place.toString(16).toUpperCase();
        if (child === undefined) return [];
        return [[digit, child === hash ? below : node(child, prefix + digit)]];
      }),
    );
    hash = innerHash(whole);
    below = node(hash, prefix, children);
  }
  return below;
}

function upperHex(bytes: Uint8Array): string {
  return bytesToHex(bytes).toUpperCase();
}
