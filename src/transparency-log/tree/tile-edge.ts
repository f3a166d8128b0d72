import { Frontier, rootOf } from './frontier.ts';
import { joinSubtrees } from './merkle-hash.ts';
import { partialTiles, splitTile, type Tile, tileWidth } from './tile.ts';

/** A tile with its bytes: 32 for each hash. */
export interface FilledTile {
  readonly tile: Tile;
  readonly bytes: Buffer;
}

/**
 * The right edge of a tree that is kept in tiles: the hashes of its partial tiles, at most 255 for
 * each level. `append` adds a leaf and returns each tile that becomes full.
 */
export class TileEdge {
  #size: number;
  /** Hashes of the partial tile of each level, indexed by level. */
  readonly #hashes: Buffer[][];

  private constructor(size: number, hashes: Buffer[][]) {
    this.#size = size;
    this.#hashes = hashes;
  }

  /** The edge of an empty tree. */
  static empty(): TileEdge {
    return new TileEdge(0, []);
  }

  /** The edge of a tree of this size. `read` returns the bytes of its partial tiles. */
  static async of(size: number, read: (tile: Tile) => Promise<Buffer>): Promise<TileEdge> {
    const hashes: Buffer[][] = [];
    for (let rest = size; rest > 0; rest = Math.floor(rest / tileWidth)) hashes.push([]);
    await Promise.all(
      partialTiles(size).map(async (tile) => {
        hashes[tile.level] = [...splitTile(await read(tile))];
      }),
    );
    return new TileEdge(size, hashes);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a leaf's hash (32 bytes). Returns the tiles that became full, lower levels first. */
  append(leaf: Buffer): readonly FilledTile[] {
    this.#size += 1;
    return this.#add(leaf, 0, this.#size);
  }

  /**
   * Adds the leaves of a full tile of the lowest level, when no leaf of it was added yet. Returns
   * the other tiles that became full.
   * @param root hash over its leaves (32 bytes)
   */
  appendTile(root: Buffer): readonly FilledTile[] {
    if (this.#size % tileWidth !== 0) throw new RangeError('a part of the tile was added before');
    this.#size += tileWidth;
    return this.#add(root, 1, this.#size / tileWidth);
  }

  /** Adds a hash at a level; `of` is the number of hashes of that level, with this one. */
  #add(added: Buffer, from: number, of: number): readonly FilledTile[] {
    const full: FilledTile[] = [];
    let hash = added;
    for (let level = from, count = of; ; level += 1) {
      const hashes = this.#hashes[level] ?? [];
      this.#hashes[level] = hashes;
      hashes.push(hash);
      if (hashes.length < tileWidth) return full;
      count = Math.floor(count / tileWidth);
      const tile = { level, index: count - 1, width: tileWidth };
      full.push({ tile, bytes: Buffer.concat(hashes) });
      hash = rootOf(hashes);
      this.#hashes[level] = [];
    }
  }

  /** The current partial tiles. */
  partial(): readonly FilledTile[] {
    return partialTiles(this.#size).map((tile) => ({
      tile,
      bytes: Buffer.concat(this.#hashes[tile.level] ?? []),
    }));
  }

  /** The root of the current tree (32 bytes). */
  root(): Buffer {
    return joinSubtrees(this.#hashes.toReversed().flatMap(subtreeHashes));
  }
}

function subtreeHashes(hashes: readonly Buffer[]): readonly Buffer[] {
  const frontier = new Frontier();
  for (const hash of hashes) frontier.append(hash);
  return frontier.hashes;
}
