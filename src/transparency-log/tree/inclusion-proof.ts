import { siblingsOf } from '../../verifier/log/audit-path.ts';
import { type ReadNodes, rangeHashes } from './tree-node.ts';

/**
 * The audit path of RFC 6962 §2.1.1, from the leaf up: 32 bytes for each hash. `size` is the size
 * of the tree; `index` starts at 0 and is below `size`.
 */
export function proveInclusion(
  index: number,
  size: number,
  read: ReadNodes,
): Promise<readonly Buffer[]> {
  return rangeHashes(siblingsOf(index, size), read);
}
