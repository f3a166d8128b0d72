import { readCheckpoint } from '../domain/log/checkpoint.ts';
import { parseOrigin } from '../domain/log/origin.ts';
import { type Tile, tilePath, tileWidth } from '../domain/log/tile.ts';
import type { FilledTile } from '../domain/log/tile-edge.ts';
import type { LogStorage } from './contract.ts';
import type { LogFiles } from './log-files.ts';
import { StorageUnavailable } from './storage-unavailable.ts';
import { TileConflict } from './tile-conflict.ts';

const checkpoints = 'checkpoints';
const epochDigits = 9;
const sizeDigits = 16;
const attempts = 5;

/**
 * What is published of the log, in files: each tile at `<logId>/<epoch>/<its path>`, each checkpoint
 * at `checkpoints/<epoch>-<size>`, both with leading zeros. Newer ones have greater names, so that one
 * which a frozen process writes late does not take the place of a newer.
 */
export class PublishedLog implements LogStorage {
  readonly #files: LogFiles;

  constructor(files: LogFiles) {
    this.#files = files;
  }

  async readCheckpoint(): Promise<string | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const name = (await this.#files.list(checkpoints)).toSorted().at(-1);
      if (name === undefined) return null;
      const note = await this.#files.read(`${checkpoints}/${name}`);
      if (note !== null) return note.toString('utf8');
      // It was removed for a newer one since it was listed.
    }
    throw new StorageUnavailable('the newest checkpoint of the log cannot be read');
  }

  async writeCheckpoint(note: string): Promise<void> {
    await this.#files.write(`${checkpoints}/${nameOf(note)}`, Buffer.from(note, 'utf8'));
  }

  async removeCheckpointsBefore(note: string): Promise<void> {
    const name = nameOf(note);
    const epoch = name.slice(0, epochDigits);
    const older = (await this.#files.list(checkpoints)).filter(
      (other) => other.startsWith(epoch) && other < name,
    );
    for (const other of older) await this.#files.remove(`${checkpoints}/${other}`);
  }

  readTile(origin: string, tile: Tile): Promise<Buffer | null> {
    return this.#files.read(tileFile(origin, tile));
  }

  async writeTile(origin: string, { tile, bytes }: FilledTile): Promise<void> {
    const file = tileFile(origin, tile);
    if (tile.width === tileWidth) {
      const present = await this.#files.read(file);
      if (present?.equals(bytes)) return;
      if (present !== null) throw new TileConflict(file);
    }
    await this.#files.write(file, bytes);
  }

  async removeTile(origin: string, tile: Tile): Promise<void> {
    if (tile.width === tileWidth) throw new TypeError('a full tile is never removed');
    await this.#files.remove(tileFile(origin, tile));
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

function nameOf(note: string): string {
  const checkpoint = readCheckpoint(note);
  const named = checkpoint === null ? null : parseOrigin(checkpoint.origin);
  if (checkpoint === null || named === null) throw new TypeError('not a checkpoint of ours');
  const epoch = String(named.epoch).padStart(epochDigits, '0');
  return `${epoch}-${String(checkpoint.size).padStart(sizeDigits, '0')}`;
}

function tileFile(origin: string, tile: Tile): string {
  const named = parseOrigin(origin);
  if (named === null) throw new TypeError(`not an origin of ours: ${origin}`);
  return `${named.logId}/${named.epoch}/${tilePath(tile)}`;
}
