import { hashPrefix, sha512Half } from './hashes.ts';

interface Leaf {
  readonly kind: 'leaf';
  readonly key: Buffer;
  readonly hash: Buffer;
}

interface Inner {
  readonly kind: 'inner';
  readonly children: (Leaf | Inner | undefined)[];
  hash: Buffer | undefined;
}

const zero = Buffer.alloc(32);

/**
 * The ledger's 16-way Merkle radix tree over 32-byte keys. A leaf is at the shallowest depth where
 * its prefix is unique. An inner node hashes "MIN\0" and the 16 hashes below it. An empty tree is
 * all zeros. Only changed paths are hashed again.
 */
export class ShaMap {
  #top: Inner = newInner();

  put(key: Buffer, leafHash: Buffer): void {
    put(this.#top, { kind: 'leaf', key, hash: leafHash }, 0);
  }

  remove(key: Buffer): void {
    remove(this.#top, key, 0);
  }

  clear(): void {
    this.#top = newInner();
  }

  root(): Buffer {
    return this.#top.children.every((child) => child === undefined) ? zero : hashOf(this.#top);
  }
}

function newInner(): Inner {
  return {
    kind: 'inner',
    children: new Array<Leaf | Inner | undefined>(16).fill(undefined),
    hash: undefined,
  };
}

function nibble(key: Buffer, depth: number): number {
  const byte = key[depth >> 1] ?? 0;
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
}

function hashOf(node: Leaf | Inner): Buffer {
  if (node.kind === 'leaf') return node.hash;
  node.hash ??= sha512Half(
    hashPrefix.innerNode,
    ...node.children.map((child) => (child === undefined ? zero : hashOf(child))),
  );
  return node.hash;
}

function put(node: Inner, leaf: Leaf, depth: number): void {
  node.hash = undefined;
  const slot = nibble(leaf.key, depth);
  const child = node.children[slot];
  if (child === undefined || (child.kind === 'leaf' && child.key.equals(leaf.key))) {
    node.children[slot] = leaf;
  } else if (child.kind === 'inner') {
    put(child, leaf, depth + 1);
  } else {
    const split = newInner();
    put(split, child, depth + 1);
    put(split, leaf, depth + 1);
    node.children[slot] = split;
  }
}

function remove(node: Inner, key: Buffer, depth: number): void {
  node.hash = undefined;
  const slot = nibble(key, depth);
  const child = node.children[slot];
  if (child === undefined) return;
  if (child.kind === 'leaf') {
    if (child.key.equals(key)) node.children[slot] = undefined;
    return;
  }
  remove(child, key, depth + 1);
  const left = child.children.filter((each) => each !== undefined);
  if (left.length === 0) node.children[slot] = undefined;
  else if (left.length === 1 && left[0]?.kind === 'leaf') node.children[slot] = left[0];
}
