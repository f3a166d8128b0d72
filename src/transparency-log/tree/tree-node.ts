import { joinSubtrees } from './merkle-hash.ts';

/** The complete subtree over leaves index·2^level … (index + 1)·2^level − 1. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** Leaves `start` to `end`, without `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The hashes (32 bytes) of complete subtrees, in the order asked for. Rejects if it lacks one. */
export type ReadNodes = (nodes: readonly TreeNode[]) => Promise<readonly Buffer[]>;

/**
 * The complete subtrees that a range consists of, from left to right. The range is one of those that
 * RFC 6962 divides a tree into: it starts at a multiple of the power of two that is not below its length.
 */
export function subtreesOf({ start, end }: LeafRange): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at));
    // Logarithms of numbers just below a power of two may be rounded up.
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

/** The largest power of two below `count`, which is at least 2: where RFC 6962 divides a tree. */
export function splitPoint(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}
