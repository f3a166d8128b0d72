import {
  type Checkpoint,
  readCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogStorage } from '../../../src/transparency-log/published/contract.ts';
import { hashBytes } from '../../../src/transparency-log/tree/merkle-hash.ts';
import {
  type Tile,
  tilePath,
  tileWidth,
  widthIn,
} from '../../../src/transparency-log/tree/tile.ts';
import { type FilledTile, TileEdge } from '../../../src/transparency-log/tree/tile-edge.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';

/** Consecutive unreadable tiles after which no more are requested. */
const mostUnread = 3;
/** Widest run of positions without an event whose leaves are still read. */
const widestGap = 1_000_000;

/**
 * Compares the published tiles of a checkpoint with one another: each tile above the lowest level
 * must be made of the tiles below it. The audit of the rows compares the leaves with the rows and
 * with the root.
 */
export class TileAudit {
  readonly #published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
  readonly #checkpoint: Checkpoint;
  readonly #findings: Findings;
  readonly #edge = TileEdge.empty();
  /** The last tile of the lowest level; without bytes if it is unusable. */
  #lowest: { readonly index: number; readonly bytes: Buffer } | null = null;
  #comparedThrough = 0;
  #unread = 0;
  /**
   * True if leaves of rows replace unusable leaves: differences above them are no fault of the
   * tiles.
   */
  #hasStandIn = false;
  #hasGap = false;
  #unlikeBelow: Fault[] = [];

  constructor(
    published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>,
    checkpoint: Checkpoint,
    findings: Findings,
  ) {
    this.#published = published;
    this.#checkpoint = checkpoint;
    this.#findings = findings;
  }

  /** Number of published leaves. */
  get size(): number {
    return this.#checkpoint.size;
  }

  /** The checkpoint that the tiles belong to. */
  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /**
   * Faults since the last call of tiles that differ from those below. They follow from a change of
   * a leaf in a tile of the lowest level, if there is one.
   */
  takeUnlikeBelow(): readonly Fault[] {
    const taken = this.#unlikeBelow;
    this.#unlikeBelow = [];
    return taken;
  }

  /**
   * Advances to a row and returns the published leaf of its position. Also adds the leaves of
   * positions without a row. Returns null if nothing is published there or its tile is unusable;
   * the row's own leaf then replaces it.
   */
  async leafOf({ position }: { readonly position: number }, own: Buffer): Promise<Buffer | null> {
    if (position <= this.#comparedThrough) return own;
    if (position > this.size || this.#isBeyondGap(position)) return null;
    while (this.#edge.size < position - 1) {
      await this.#add((await this.#leafAt(this.#edge.size + 1)) ?? noLeaf);
    }
    const leaf = await this.#leafAt(position);
    if (this.#edge.size < position) await this.#add(leaf ?? own);
    return leaf;
  }

  /** Last position up to which `takeTile` has compared the published leaves. */
  get comparedThrough(): number {
    return this.#comparedThrough;
  }

  /**
   * Advances by a full tile, if its leaves are published after those that were compared so far.
   * Returns false, and does nothing, otherwise.
   * @param leaves recomputed leaves of the positions from `first` on
   * @param rootOfLeaves hash over them
   */
  async takeTile(first: number, leaves: Buffer, rootOfLeaves: () => Buffer): Promise<boolean> {
    const last = first + tileWidth - 1;
    if (last > this.size || this.#edge.size !== first - 1) return false;
    const index = (first - 1) / tileWidth;
    if (this.#lowest?.index !== index) this.#lowest = await this.#readLowest(index);
    if (!this.#lowest.bytes.equals(leaves)) return false;
    await this.#compareAll(this.#edge.appendTile(rootOfLeaves()));
    this.#comparedThrough = last;
    return true;
  }

  #isBeyondGap(position: number): boolean {
    const first = this.#edge.size + 1;
    if (position - first <= widestGap) return false;
    const what = `the leaves from ${first} on were not checked: more than ${widestGap} positions have no event`;
    if (!this.#hasGap) {
      this.#findings.reportUnchecked({ in: 'tiles', position: null, column: null, what });
    }
    this.#hasGap = true;
    return true;
  }

  async #leafAt(position: number): Promise<Buffer | null> {
    const index = Math.floor((position - 1) / tileWidth);
    if (this.#lowest?.index !== index) this.#lowest = await this.#readLowest(index);
    const at = hashBytes * ((position - 1) % tileWidth);
    const leaf = this.#lowest.bytes.subarray(at, at + hashBytes);
    const isPublished = leaf.length === hashBytes;
    this.#hasStandIn ||= !isPublished;
    return isPublished ? leaf : null;
  }

  /** @param leaf the published leaf or its replacement */
  async #add(leaf: Buffer): Promise<void> {
    await this.#compareAll(this.#edge.append(leaf));
  }

  async #compareAll(full: readonly FilledTile[]): Promise<void> {
    for (const filled of full) await this.#compare(filled);
    if (this.#edge.size < this.size) return;
    for (const filled of this.#edge.partial()) await this.#compare(filled);
  }

  async #readLowest(index: number) {
    const tile = { level: 0, index, width: widthIn(this.size, { level: 0, index }) };
    const bytes = await this.#read(tile);
    const unusable = { index, bytes: Buffer.alloc(0) };
    if (bytes === undefined) return unusable;
    const expected = tile.width * hashBytes;
    if (bytes?.length === expected) return { index, bytes };
    this.#fault(
      tile,
      bytes === null ? missing : `the tile has ${bytes.length} bytes instead of ${expected}`,
    );
    return unusable;
  }

  /** Skips the lowest level, which the other levels are computed from. */
  async #compare({ tile, bytes }: FilledTile): Promise<void> {
    if (tile.level === 0) return;
    const found = await this.#read(tile);
    if (found === undefined) return;
    if (found === null) this.#fault(tile, missing);
    else if (!found.equals(bytes)) {
      const orRows = this.#hasStandIn ? ' (or the events, where those tiles cannot be used)' : '';
      const what = `the hashes in this tile do not match the tiles below it${orRows}`;
      this.#unlikeBelow.push(this.#fault(tile, what));
    }
  }

  /** Null if the tile is missing, undefined if it could not be read. */
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
    const what = `${tilePath(tile)} and all later tiles were not read, because ${mostUnread} tiles in a row cannot be read`;
    this.#findings.reportUnchecked({ in: 'tiles', position: null, column: null, what });
  }

  /** Wider tiles that start with the same hashes may have replaced a partial tile. */
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

  /** Width of the tile in the newest checkpoint. */
  async #width(tile: Tile): Promise<number> {
    const newest = readCheckpoint((await this.#published.readCheckpoint()) ?? '');
    return newest?.origin === this.#checkpoint.origin ? widthIn(newest.size, tile) : 0;
  }

  #fault(tile: Tile, what: string): Fault {
    const where = { in: 'tiles', position: null, column: null } as const;
    return this.#findings.reportFault({ ...where, what: `${tilePath(tile)}: ${what}` });
  }
}

const missing = 'the tile is missing';
const noLeaf = Buffer.alloc(hashBytes);
