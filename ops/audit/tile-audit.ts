import { type Checkpoint, readCheckpoint } from '../../src/domain/log/checkpoint.ts';
import { splitTile, type Tile, tilePath, tileWidth, widthIn } from '../../src/domain/log/tile.ts';
import { type FilledTile, TileEdge } from '../../src/domain/log/tile-edge.ts';
import type { LogStorage } from '../../src/storage/contract.ts';
import type { Tell } from './fault.ts';

/**
 * Holds the published tiles of a checkpoint against one another and against its root, leaf by leaf:
 * each tile above the lowest level must be made of the ones below it.
 */
export class TileAudit {
  readonly #published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
  readonly #checkpoint: Checkpoint;
  readonly #tell: Tell;
  readonly #edge = TileEdge.empty();
  #lowest: { readonly index: number; readonly leaves: readonly Buffer[] } | null = null;

  constructor(
    published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>,
    checkpoint: Checkpoint,
    tell: Tell,
  ) {
    this.#published = published;
    this.#checkpoint = checkpoint;
    this.#tell = tell;
  }

  /** How many leaves were published. */
  get size(): number {
    return this.#checkpoint.size;
  }

  /** The published leaf of a position up to `size`, asked in order; null where its tile is unusable. */
  async leafAt(position: number): Promise<Buffer | null> {
    const index = Math.floor((position - 1) / tileWidth);
    if (this.#lowest?.index !== index) this.#lowest = await this.#readLowest(index);
    return this.#lowest.leaves[(position - 1) % tileWidth] ?? null;
  }

  /** @param leaf the published one, or what stands in for it */
  async add(leaf: Buffer): Promise<void> {
    for (const filled of this.#edge.append(leaf)) await this.#compare(filled);
    if (this.#edge.size < this.size) return;
    for (const filled of this.#edge.partial()) await this.#compare(filled);
    if (this.#edge.root().equals(this.#checkpoint.root)) return;
    const what = `they do not come to the root of the checkpoint of size ${this.size}`;
    this.#tell({ in: 'tiles', position: null, column: null, what });
  }

  async #readLowest(index: number) {
    const tile = { level: 0, index, width: widthIn(this.size, { level: 0, index }) };
    const bytes = await this.#read(tile);
    const leaves = bytes?.length === tile.width * 32 ? splitTile(bytes) : [];
    if (leaves.length === 0)
      this.#fault(tile, bytes === null ? 'it is missing' : 'it is cut short');
    return { index, leaves };
  }

  /** The lowest level is what the others are made of. */
  async #compare({ tile, bytes }: FilledTile): Promise<void> {
    if (tile.level === 0) return;
    const found = await this.#read(tile);
    if (found === null) this.#fault(tile, 'it is missing');
    else if (!found.equals(bytes)) this.#fault(tile, 'it is not made of the tiles below it');
  }

  /** A partial one may have gone for wider ones since, which begin with the same hashes. */
  async #read(tile: Tile): Promise<Buffer | null> {
    const { origin } = this.#checkpoint;
    let before = 0;
    for (let width = tile.width; width > before; before = width, width = await this.#width(tile)) {
      const found = await this.#published.readTile(origin, { ...tile, width });
      if (found !== null) return width === tile.width ? found : found.subarray(0, tile.width * 32);
    }
    return null;
  }

  /** How wide the newest checkpoint has it. */
  async #width(tile: Tile): Promise<number> {
    const newest = readCheckpoint((await this.#published.readCheckpoint()) ?? '');
    return newest?.origin === this.#checkpoint.origin ? widthIn(newest.size, tile) : 0;
  }

  #fault(tile: Tile, what: string): void {
    this.#tell({ in: 'tiles', position: null, column: null, what: `${tilePath(tile)}: ${what}` });
  }
}
