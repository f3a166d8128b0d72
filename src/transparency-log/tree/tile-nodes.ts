import { rootOf } from './frontier.ts';
import { splitTile, type Tile, widthIn } from './tile.ts';
import type { ReadNodes, TreeNode } from './tree-node.ts';

/**
 * Reads nodes of a tree of this `size` from its tiles, each tile once. `read` returns a tile's
 * bytes: 32 for each hash.
 */
export function tileNodes(size: number, read: (tile: Tile) => Promise<Buffer>): ReadNodes {
  const tiles = new Map<string, Promise<readonly Buffer[]>>();
  const hashesOf = (address: Omit<Tile, 'width'>) => {
    const key = `${address.level}/${address.index}`;
    const known = tiles.get(key);
    if (known !== undefined) return known;
    const found = read({ ...address, width: widthIn(size, address) }).then(splitTile);
    tiles.set(key, found);
    return found;
  };
  return (nodes) =>
    Promise.all(
      nodes.map(async (node) => {
        const { address, from, count } = addressOf(node);
        const hashes = (await hashesOf(address)).slice(from, from + count);
        if (hashes.length < count) throw new RangeError(`a tree of ${size} has no ${textOf(node)}`);
        return rootOf(hashes);
      }),
    );
}

/** The tile to read a node from. The node is the root over `count` hashes from `from` on. */
function addressOf({ level, index }: TreeNode): {
  readonly address: Omit<Tile, 'width'>;
  readonly from: number;
  readonly count: number;
} {
  const count = 2 ** (level % 8);
  const first = index * count;
  const address = { level: Math.floor(level / 8), index: Math.floor(first / 256) };
  return { address, from: first % 256, count };
}

function textOf({ level, index }: TreeNode): string {
  return `node ${index} at level ${level}`;
}
