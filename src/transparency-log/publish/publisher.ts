import { sql } from 'kysely';
import { readLastRestored } from '../../loading/load-log.ts';
import { type Checkpoint, readCheckpoint, signCheckpoint } from '../checkpoint/checkpoint.ts';
import { type NoteSigner, noteSigner } from '../checkpoint/note-key.ts';
import { currentOrigin } from '../current-origin.ts';
import { check, requireAgreement, type Traces } from '../guard/check.ts';
import type { LogStorage } from '../published/contract.ts';
import {
  addPublished,
  type CheckpointHistory,
  lastPublished,
  type PublishedCheckpoint,
} from '../published/published-checkpoints.ts';
import { tilesAtOnce } from '../published/tiles-at-once.ts';
import { partialTiles, type Tile, tilePath } from '../tree/tile.ts';
import { type FilledTile, TileEdge } from '../tree/tile-edge.ts';

type PublishedTraces = Traces['publishing'];

export interface PublisherOptions extends PublishedTraces {
  readonly published: LogStorage;
  /** Ed25519 seeds (32 bytes). Each of them signs every checkpoint. */
  readonly seeds: readonly Buffer[];
  /**
   * Maximum number of new events in a checkpoint: the most work that a kill makes repeat. The first
   * checkpoint of an epoch may cover more: all events up to the one that began the epoch.
   */
  readonly maxEvents?: number;
}

/** Progress of the publisher: its complete state. */
interface Progress {
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
  readonly edge: TileEdge;
  /** Smallest size to publish: a new epoch begins with the event that opened it. */
  readonly leastSize: number;
  /** Leaf of the last event in the tree; null for an empty tree. */
  lastLeaf: Buffer | null;
  /** Last checkpoint that was stored; null before the first checkpoint of an epoch. */
  stored: Checkpoint | null;
  /** Newest row of published checkpoints, of any epoch. */
  row: PublishedCheckpoint | null;
}

const pageLeaves = 4_096;

/**
 * Keeps the tree of the log in tiles and publishes its checkpoints. Each publication writes the
 * tiles first, then the checkpoint in the storage, then the row that serves it. So every visible
 * checkpoint is in the storage, together with its tiles. After a failure, the publisher restarts
 * from the stored checkpoint and repeats the interrupted steps.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #progress: Progress | null = null;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /**
   * Publishes new events, at most `maxEvents`. Resolves with the size of the tree, and with
   * `isBehind` if the log has more events. A new epoch writes tiles alone until they cover the event
   * that began it. Rejects with `LogUnconfirmed`, `TileConflict`, or the error
   * that prevented publishing; it can be called again.
   */
  async publish(): Promise<{ readonly size: number; readonly isBehind: boolean }> {
    try {
      this.#progress ??= await this.#load();
      return await this.#advance(this.#progress);
    } catch (error) {
      this.#progress = null;
      throw error;
    }
  }

  /**
   * Loads the progress from the storage, after comparing the database with it: the database may
   * have been restored from a backup.
   */
  async #load(): Promise<Progress> {
    const { store, history, published, leaves, seeds } = this.#options;
    await requireDurableCommits(history);
    const stored = requireAgreement(await check('publishing', this.#options));
    const origin = await currentOrigin(store);
    if (stored !== null) await published.removeSubmittedUpTo(origin, stored.size);
    const edge = await TileEdge.of(stored?.size ?? 0, async (tile) => {
      const bytes = await published.readTile(origin, tile);
      if (bytes === null) throw new Error(`${tilePath(tile)} vanished`);
      return bytes;
    });
    const [lastLeaf = null] = edge.size === 0 ? [] : await leaves.read(edge.size - 1, 1);
    const signers = seeds.map((seed) => noteSigner(origin, seed));
    // Later checkpoints of an epoch are larger than its first one anyway.
    const began = stored === null ? await readLastRestored(store) : null;
    const leastSize = began?.position ?? 1;
    const row = await lastPublished(history);
    return { origin, signers, edge, leastSize, lastLeaf, stored, row };
  }

  async #advance(progress: Progress) {
    const { store, maxEvents = 65_536 } = this.#options;
    const { edge, leastSize } = progress;
    const head = await store.head();
    const target = Math.min(head, edge.size + maxEvents);
    await this.#grow(progress, target);
    if (edge.size >= leastSize) await this.#publishCheckpoint(progress);
    return { size: edge.size, isBehind: head > edge.size };
  }

  /** Adds the leaves up to a position, and writes each tile that becomes full. */
  async #grow(progress: Progress, target: number): Promise<void> {
    const { edge } = progress;
    // Read the last leaf once more: the database may go back even while this process runs.
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

  async #publishCheckpoint(progress: Progress): Promise<void> {
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

  /** Removes partial tiles and checkpoints that only the previous checkpoint needed. */
  async #tidy(note: string, origin: string, before: number, size: number): Promise<void> {
    const { published } = this.#options;
    const needed = new Set(partialTiles(size).map(tilePath));
    const spare = partialTiles(before).filter((tile) => !needed.has(tilePath(tile)));
    await Promise.all(spare.map((tile: Tile) => published.removeTile(origin, tile)));
    await published.removeCheckpointsBefore(note);
  }

  /** Writes level by level, so that the tiles below a stored tile are never missing. */
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

/** Requires durable commits: an event that a checkpoint covers must never be lost. */
async function requireDurableCommits(history: CheckpointHistory): Promise<void> {
  const { rows } = await sql<{ synchronous_commit: string }>`SHOW synchronous_commit`.execute(
    history,
  );
  if (rows[0]?.synchronous_commit !== 'off') return;
  throw new Error(
    'the database has synchronous_commit off, so no checkpoint is published: switch it on',
  );
}

const wentBack = 'the database does not hold what was published of it: it is compared anew';
