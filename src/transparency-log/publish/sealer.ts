import { sql } from 'kysely';
import { type Checkpoint, readCheckpoint, signCheckpoint } from '../checkpoint/checkpoint.ts';
import { type NoteSigner, noteSigner } from '../checkpoint/note-key.ts';
import { currentOrigin } from '../current-origin.ts';
import { check, requireAgreement } from '../guard/check.ts';
import { tilesAtOnce } from '../guard/compare-beyond.ts';
import type { ComparedLog } from '../guard/compared-log.ts';
import { partialTiles, type Tile, tilePath } from '../tree/tile.ts';
import { type FilledTile, TileEdge } from '../tree/tile-edge.ts';
import type { LogStorage } from './contract.ts';
import {
  addPublished,
  type CheckpointHistory,
  lastPublished,
  type PublishedCheckpoint,
} from './published-checkpoints.ts';

export interface SealerOptions extends ComparedLog {
  readonly published: LogStorage;
  /** Ed25519 seeds (32 bytes) that sign, each of them, every checkpoint. */
  readonly seeds: readonly Buffer[];
  /** Events after which a checkpoint is published though there are more: what a kill costs at most. */
  readonly maxEvents?: number;
}

/** How far the sealer has come: all that it needs to go on. */
interface Progress {
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
  readonly edge: TileEdge;
  /** Of the last event that is in the tree; null if there is none. */
  lastLeaf: Buffer | null;
  /** What the storage was last told; null before the first checkpoint of an epoch. */
  stored: Checkpoint | null;
  /** The row that was added last, of whatever epoch. */
  row: PublishedCheckpoint | null;
}

const pageLeaves = 4_096;

/**
 * Keeps the tree of the log in tiles and publishes its checkpoints: the tiles first, then the
 * checkpoint beside them, then its row, by which it is served. So nobody ever sees a checkpoint that
 * the storage does not know, or whose tiles are not there. After any failure it begins again at what
 * the storage holds, which repeats what was cut short.
 */
export class Sealer {
  readonly #options: SealerOptions;
  #progress: Progress | null = null;

  constructor(options: SealerOptions) {
    this.#options = options;
  }

  /**
   * Publishes what was appended since, up to `maxEvents`. Resolves with the size that is published
   * now, and whether the log goes on beyond. Rejects with `LogDiffers`, `TileConflict`, or what kept
   * it from going on; it may be called again.
   */
  async seal(): Promise<{ readonly size: number; readonly isBehind: boolean }> {
    try {
      this.#progress ??= await this.#load();
      return await this.#advance(this.#progress);
    } catch (error) {
      this.#progress = null;
      throw error;
    }
  }

  /** From what the storage holds, which the database is compared with: it may have gone back. */
  async #load(): Promise<Progress> {
    const { store, history, published, leaves, seeds } = this.#options;
    await requireDurableCommits(history);
    const stored = requireAgreement(await check({ of: 'publishing', ...this.#options }));
    const origin = await currentOrigin(store);
    if (stored !== null) await published.removeSubmittedUpTo(origin, stored.size);
    const edge = await TileEdge.of(stored?.size ?? 0, async (tile) => {
      const bytes = await published.readTile(origin, tile);
      if (bytes === null) throw new Error(`${tilePath(tile)} vanished`);
      return bytes;
    });
    const [lastLeaf = null] = edge.size === 0 ? [] : await leaves.read(edge.size - 1, 1);
    const signers = seeds.map((seed) => noteSigner(origin, seed));
    return { origin, signers, edge, lastLeaf, stored, row: await lastPublished(history) };
  }

  async #advance(progress: Progress) {
    const { store, maxEvents = 65_536 } = this.#options;
    const { edge } = progress;
    const head = await store.head();
    const target = Math.min(head, edge.size + maxEvents);
    await this.#grow(progress, target);
    if (edge.size > 0) await this.#publish(progress);
    return { size: edge.size, isBehind: head > edge.size };
  }

  /** Adds the leaves up to a position, and writes each tile that becomes full. */
  async #grow(progress: Progress, target: number): Promise<void> {
    const { edge } = progress;
    // The last one is read once more: under a running process too the database may go back.
    while (edge.size < target || progress.lastLeaf !== null) {
      const known = progress.lastLeaf === null ? 0 : 1;
      const limit = Math.min(pageLeaves, target - edge.size + known);
      const page = await this.#options.leaves.read(edge.size - known, limit);
      if (known === 1 && !page[0]?.equals(progress.lastLeaf as Buffer)) throw new Error(wentBack);
      if (page.length < limit) throw new Error(wentBack);
      const added = page.slice(known);
      await this.#write(
        progress.origin,
        added.flatMap((leaf) => edge.append(leaf)),
      );
      progress.lastLeaf = added.at(-1) ?? progress.lastLeaf;
      if (edge.size >= target) return;
    }
  }

  async #publish(progress: Progress): Promise<void> {
    const { history, published } = this.#options;
    const { origin, signers, edge, row, stored } = progress;
    const { size } = edge;
    const isListed = row?.origin === origin && row.size >= size;
    if (isListed && stored?.size === size) return;
    const checkpoint = { origin, size, root: edge.root() };
    const note =
      row?.origin === origin && row.size === size ? row.note : signCheckpoint(checkpoint, signers);
    if (!readCheckpoint(note)?.root.equals(checkpoint.root)) throw new Error(wentBack);
    await this.#write(origin, edge.partial());
    await published.writeCheckpoint(note);
    if (!isListed) {
      const vkeys = signers.map(({ vkey }) => vkey);
      const number = (row?.number ?? 0) + 1;
      const isAdded = await addPublished(history, { number, note, vkeys });
      if (!isAdded) throw new Error('another process publishes checkpoints');
      progress.row = { number, note, vkeys, origin, size };
    }
    progress.stored = checkpoint;
    await this.#tidy(note, origin, stored?.size ?? 0, size);
  }

  /** Removes what the checkpoint before needed and this one does not. */
  async #tidy(note: string, origin: string, before: number, size: number): Promise<void> {
    const { published } = this.#options;
    const needed = new Set(partialTiles(size).map(tilePath));
    const spare = partialTiles(before).filter((tile) => !needed.has(tilePath(tile)));
    await Promise.all(spare.map((tile: Tile) => published.removeTile(origin, tile)));
    await published.removeCheckpointsBefore(note);
  }

  /** Level by level: what a tile is made of is never missing beside it. */
  async #write(origin: string, tiles: readonly FilledTile[]): Promise<void> {
    const levels = Map.groupBy(tiles, ({ tile }) => tile.level);
    for (const level of [...levels.keys()].sort((a, b) => a - b)) {
      const left = (levels.get(level) ?? []).values();
      const writeLeft = async () => {
        for (const tile of left) await this.#options.published.writeTile(origin, tile);
      };
      await Promise.all(Array.from({ length: tilesAtOnce }, writeLeft));
    }
  }
}

/** What is seen of the log must not be lost any more, or a checkpoint of it could be. */
async function requireDurableCommits(history: CheckpointHistory): Promise<void> {
  const { rows } = await sql<{ synchronous_commit: string }>`SHOW synchronous_commit`.execute(
    history,
  );
  if (rows[0]?.synchronous_commit !== 'off') return;
  throw new Error(
    'the database has synchronous_commit off: no checkpoint is published until it is on',
  );
}

const wentBack = 'the database does not hold what was published of it: it is compared anew';
