import type { LeafRange } from '../../verifier/log/audit-path.ts';
import { joinSubtrees } from './merkle-hash.ts';

/** The complete subtree over the leaves from index·2^level to (index + 1)·2^level − 1. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** Resolves with hashes (32 bytes) in the order of `nodes`. Rejects if a node is missing. */
export type ReadNodes = (nodes: readonly TreeNode[]) => Promise<readonly Buffer[]>;

/**
 * The complete subtrees of a range, from left to right. The range must be one into which RFC 6962
 * divides a tree: its start is a multiple of the smallest power of two not below its length.
 */
export function subtreesOf({ start, end }: LeafRange): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at));
    // The logarithm of a number just below a power of two may be rounded up.
    const exact = 2 ** level > end - at ? level - 1 : level;
    nodes.push({ level: exact, index: at / 2 ** exact });
    at += 2 ** exact;
  }
  return nodes;
}

/** The hash over each range. */
export async function rangeHashes(
  ranges: readonly LeafRange[],
  read: ReadNodes,
): Promise<readonly Buffer[]> {
  const parts = ranges.map(subtreesOf);
  const hashes = (await read(parts.flat())).values();
  return parts.map((nodes) => joinSubtrees([...hashes.take(nodes.length)]));
}
