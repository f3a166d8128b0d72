import { hash } from 'node:crypto';
import { nodeHash } from '../../src/transparency-log/tree/merkle-hash.ts';
import type { ReadNodes } from '../../src/transparency-log/tree/tree-node.ts';

/** Content of a leaf in a tree of made-up records. */
export function sampleRecord(index: number): Buffer {
  return Buffer.from(`record ${index}`);
}

/** Hash of a leaf: SHA-256(0x00 ‖ content). */
export function hashOfRecord(content: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.of(0), content]), 'buffer');
}

export function sampleLeaves(count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) => hashOfRecord(sampleRecord(index)));
}

/** Reads nodes of the tree over these leaves by hashing everything below them. */
export function nodesOf(leaves: readonly Buffer[]): ReadNodes {
  const over = (level: number, index: number): Buffer => {
    if (level > 0) return nodeHash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1));
    const leaf = leaves[index];
    if (leaf === undefined) throw new RangeError(`no leaf ${index}`);
    return leaf;
  };
  return async (nodes) => nodes.map(({ level, index }) => over(level, index));
}
