import type { Tile } from '../tree/tile.ts';
import type { FilledTile } from '../tree/tile-edge.ts';
import type { SubmittedMark } from './submitted-mark.ts';

/**
 * Stores the published log beside the blobs: its checkpoints, the tiles of its tree, and its
 * submission marks. A restore of the database leaves this storage alone, so the storage reveals a
 * restored database.
 *
 * A write is on stable storage when its method resolves, and becomes visible as a whole. Every
 * method rejects with `StorageUnavailable` within bounded time while the storage cannot be used. Only
 * writes to a shared folder last as long as its mount waits: a write that was given up could still
 * replace a later one. An unreachable storage is never treated as an empty one.
 */
export interface LogStorage {
  /** Reads the note of the newest checkpoint, of any log and epoch, as written; null if none. */
  readCheckpoint(): Promise<string | null>;

  /** Reads the note of the newest checkpoint of each epoch, in the order of the epochs. */
  readLastCheckpoints(): Promise<readonly string[]>;

  /** Writes a checkpoint of our log. A late write never hides a newer checkpoint. */
  writeCheckpoint(note: string): Promise<void>;

  /** Removes the checkpoints of the same epoch that are older than this one. */
  removeCheckpointsBefore(note: string): Promise<void>;

  /** Reads the bytes of a tile of the log with this origin; null if there is none. */
  readTile(origin: string, tile: Tile): Promise<Buffer | null>;

  /** Writes a tile. Rejects with `TileConflict` if a full tile is stored with other bytes. */
  writeTile(origin: string, filled: FilledTile): Promise<void>;

  /** Removes a partial tile, if it exists. */
  removeTile(origin: string, tile: Tile): Promise<void>;

  /** Adds a mark of the writer with this name (no `/`), beside all earlier marks. */
  writeSubmitted(writer: string, mark: SubmittedMark): Promise<void>;

  /** Removes a mark of this writer, if it exists. */
  removeSubmitted(writer: string, mark: SubmittedMark): Promise<void>;

  /** Reads the marks of all writers and epochs. Marks that are removed meanwhile are left out. */
  readSubmitted(): Promise<readonly SubmittedMark[]>;

  /** Removes all marks that a checkpoint of this origin and size covers. */
  removeSubmittedUpTo(origin: string, size: number): Promise<void>;

  /** Closes connections. */
  close(): Promise<void>;
}
