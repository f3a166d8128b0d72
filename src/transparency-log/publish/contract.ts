import type { Tile } from '../tree/tile.ts';
import type { FilledTile } from '../tree/tile-edge.ts';
import type { SubmittedMark } from './submitted-mark.ts';

/**
 * Keeps what is published of the log beside the blobs: its checkpoints and the tiles of its tree, and
 * how far it had come when something signed was submitted. It does not go back with the database, so
 * a restored database can be recognised by it.
 *
 * A write is on stable storage when its method resolves, and becomes visible as a whole. Every method rejects with `StorageUnavailable` within bounded time when the storage cannot
 * be used; one that is away is never taken for an empty one.
 */
export interface LogStorage {
  /**
   * The newest checkpoint, of whatever log and epoch: the note as it was written. Null if there is
   * none.
   */
  readCheckpoint(): Promise<string | null>;

  /** Writes a checkpoint of ours. It never hides a newer one, whenever it arrives. */
  writeCheckpoint(note: string): Promise<void>;

  /** Removes the checkpoints that are older than this one and of its epoch. */
  removeCheckpointsBefore(note: string): Promise<void>;

  /** The bytes of a tile of the log with this origin; null if there is none. */
  readTile(origin: string, tile: Tile): Promise<Buffer | null>;

  /** Writes a tile. Rejects with `TileConflict` where a full one is there with other bytes. */
  writeTile(origin: string, filled: FilledTile): Promise<void>;

  /** Removes a partial tile; nothing happens if there is none. */
  removeTile(origin: string, tile: Tile): Promise<void>;

  /** Keeps a mark of the writer with this name (no `/`), beside those of others and of itself. */
  writeSubmitted(writer: string, mark: SubmittedMark): Promise<void>;

  /** Removes one of the writer's own; nothing happens if there is none. */
  removeSubmitted(writer: string, mark: SubmittedMark): Promise<void>;

  /** All of whatever writer and epoch, but those that are removed meanwhile. */
  readSubmitted(): Promise<readonly SubmittedMark[]>;

  /** Removes all that a checkpoint of this origin and size covers. */
  removeSubmittedUpTo(origin: string, size: number): Promise<void>;

  /** Lets go of connections. */
  close(): Promise<void>;
}
