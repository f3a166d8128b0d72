import { rootOf } from './frontier.ts';
import { splitTile, type Tile, widthIn } from './tile.ts';
import type { ReadNodes, TreeNode } from './tree-node.ts';

/**
 * Reads a tree's nodes out of the tiles of its `size`, each tile once. `read` gives a tile's bytes:
 * 32 for each of its hashes.
 */
export function tileNodes(size: number, read: (tile: Tile) => Promise<Buffer>): ReadNodes {
  const tiles = new Map<string, Promise<readonly Buffer[]>>();
  const hashesOf = (place: Omit<Tile, 'width'>) => {
    const key = `${place.level}/${place.index}`;
    const known = tiles.get(key);
    if (known !== undefined) return known;
    const found = read({ ...place, width: widthIn(size, place) }).then(splitTile);
    tiles.set(key, found);
    return found;
  };
  return (nodes) =>
    Promise.all(
      nodes.map(async (node) => {
        const { place, from, count } = placeOf(node);
        const hashes = (await hashesOf(place)).slice(from, from + count);
        if (hashes.length < count) throw new RangeError(`a tree of ${size} has no ${textOf(node)}`);
        return rootOf(hashes);
      }),
    );
}

/** The tile that a node is read from, and which of its hashes the node is the root of. */
function placeOf({ level, index }: TreeNode): {
  readonly place: Omit<Tile, 'width'>;
  readonly from: number;
  readonly count: number;
} {
  const count = 2 ** (level % 8);
  const first = index * count;
  const place = { level: Math.floor(level / 8), index: Math.floor(first / 256) };
  return { place, from: first % 256, count };
}

function textOf({ level, index }: TreeNode): string {
  return `node ${index} at level ${level}`;
}
