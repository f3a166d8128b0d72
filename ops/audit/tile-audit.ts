import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogStorage } from '../../src/transparency-log/publish/contract.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import {
  splitTile,
  type Tile,
  tilePath,
  tileWidth,
  widthIn,
} from '../../src/transparency-log/tree/tile.ts';
import { type FilledTile, TileEdge } from '../../src/transparency-log/tree/tile-edge.ts';
import type { Findings } from './findings.ts';

/** Unreadable tiles in a row after which no more are asked for. */
const mostUnread = 3;
/** Widest run of positions without an event whose leaves are still read. */
const widestGap = 1_000_000;

/**
 * Holds the published tiles of a checkpoint against one another and against its root, leaf by leaf:
 * each tile above the lowest level must be made of the ones below it.
 */
export class TileAudit {
  readonly #published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
  readonly #checkpoint: Checkpoint;
  readonly #findings: Findings;
  readonly #edge = TileEdge.empty();
  #lowest: { readonly index: number; readonly leaves: readonly Buffer[] } | null = null;
  #unread = 0;
  /** Leaves of rows stand in for unusable ones: what is made of them is no fault of the tiles. */
  #hasStandIn = false;
  #hasGap = false;

  constructor(
    published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>,
    checkpoint: Checkpoint,
    findings: Findings,
  ) {
    this.#published = published;
    this.#checkpoint = checkpoint;
    this.#findings = findings;
  }

  /** How many leaves were published. */
  get size(): number {
    return this.#checkpoint.size;
  }

  /**
   * Goes on to a row, and returns the published leaf of its position; null where there is none, and where
   * its tile is unusable: the row's own leaf stands in for it then. Leaves of positions that have no row are
   * gone through too.
   */
  async leafOf({ position }: { readonly position: number }, own: Buffer): Promise<Buffer | null> {
    if (position > this.size || this.#isBeyondGap(position)) return null;
    while (this.#edge.size < position - 1) {
      await this.#add((await this.#leafAt(this.#edge.size + 1)) ?? noLeaf);
    }
    const leaf = await this.#leafAt(position);
    if (this.#edge.size < position) await this.#add(leaf ?? own);
    return leaf;
  }

  #isBeyondGap(position: number): boolean {
    const first = this.#edge.size + 1;
    if (position - first <= widestGap) return false;
    const what = `leaves from ${first} on: no event is there for more than ${widestGap} positions`;
    if (!this.#hasGap) {
      this.#findings.tellUnchecked({ in: 'tiles', position: null, column: null, what });
    }
    this.#hasGap = true;
    return true;
  }

  async #leafAt(position: number): Promise<Buffer | null> {
    const index = Math.floor((position - 1) / tileWidth);
    if (this.#lowest?.index !== index) this.#lowest = await this.#readLowest(index);
    const leaf = this.#lowest.leaves[(position - 1) % tileWidth] ?? null;
    this.#hasStandIn ||= leaf === null;
    return leaf;
  }

  /** @param leaf the published one, or what stands in for it */
  async #add(leaf: Buffer): Promise<void> {
    for (const filled of this.#edge.append(leaf)) await this.#compare(filled);
    if (this.#edge.size < this.size) return;
    for (const filled of this.#edge.partial()) await this.#compare(filled);
    if (this.#hasStandIn || this.#edge.root().equals(this.#checkpoint.root)) return;
    const what = `they do not come to the root of the checkpoint of size ${this.size}`;
    this.#findings.tell({ in: 'tiles', position: null, column: null, what });
  }

  async #readLowest(index: number) {
    const tile = { level: 0, index, width: widthIn(this.size, { level: 0, index }) };
    const bytes = await this.#read(tile);
    if (bytes === undefined) return { index, leaves: [] };
    const expected = tile.width * hashBytes;
    if (bytes?.length === expected) return { index, leaves: splitTile(bytes) };
    this.#fault(tile, bytes === null ? missing : `it has ${bytes.length} bytes, not ${expected}`);
    return { index, leaves: [] };
  }

  /** The lowest level is what the others are made of. */
  async #compare({ tile, bytes }: FilledTile): Promise<void> {
    if (tile.level === 0) return;
    const found = await this.#read(tile);
    if (found === undefined) return;
    if (found === null) this.#fault(tile, missing);
    else if (!found.equals(bytes)) {
      const orRows = this.#hasStandIn ? ', or of the rows where these are unusable' : '';
      this.#fault(tile, `it is not made of the tiles below it${orRows}`);
    }
  }

  /** Null for a tile that is not there, undefined for one that could not be read. */
  async #read(tile: Tile): Promise<Buffer | null | undefined> {
    if (this.#unread >= mostUnread) return this.#giveUp(tile);
    const attempted = { in: 'tiles', what: tilePath(tile) } as const;
    const found = await this.#findings.attempt(attempted, () => this.#find(tile), undefined);
    this.#unread = found === undefined ? this.#unread + 1 : 0;
    return found;
  }

  #giveUp(tile: Tile): undefined {
    this.#unread += 1;
    if (this.#unread > mostUnread + 1) return;
    const what = `${tilePath(tile)} and all after it: ${mostUnread} before it could not be read`;
    this.#findings.tellUnchecked({ in: 'tiles', position: null, column: null, what });
  }

  /** A partial one may have gone for wider ones since, which begin with the same hashes. */
  async #find(tile: Tile): Promise<Buffer | null> {
    const { origin } = this.#checkpoint;
    let before = 0;
    for (let width = tile.width; width > before; before = width, width = await this.#width(tile)) {
      const found = await this.#published.readTile(origin, { ...tile, width });
      if (found !== null) {
        return width === tile.width ? found : found.subarray(0, tile.width * hashBytes);
      }
    }
    return null;
  }

  /** How wide the newest checkpoint has it. */
  async #width(tile: Tile): Promise<number> {
    const newest = readCheckpoint((await this.#published.readCheckpoint()) ?? '');
    return newest?.origin === this.#checkpoint.origin ? widthIn(newest.size, tile) : 0;
  }

  #fault(tile: Tile, what: string): void {
    const place = { in: 'tiles', position: null, column: null } as const;
    this.#findings.tell({ ...place, what: `${tilePath(tile)}: ${what}` });
  }
}

const missing = 'it is missing';
const noLeaf = Buffer.alloc(hashBytes);
