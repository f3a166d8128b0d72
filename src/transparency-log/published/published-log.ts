import { parseOrigin } from '../../domain/log/origin.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import { logFolder } from '../../storage/storage-folder.ts';
import { StorageUnavailable } from '../../storage/storage-unavailable.ts';
import { readCheckpoint } from '../checkpoint/checkpoint.ts';
import { type Tile, tilePath, tileWidth } from '../tree/tile.ts';
import type { FilledTile } from '../tree/tile-edge.ts';
import type { LogStorage } from './contract.ts';
import type { LogFiles } from './log-files.ts';
import { formatSubmittedMark, parseSubmittedMark, type SubmittedMark } from './submitted-mark.ts';

const checkpoints = 'checkpoints';
const submitted = 'submitted';
const epochDigits = 9;
const sizeDigits = 16;
const attempts = 5;

/**
 * Stores the published log in files: each tile at `<logId>/<epoch>/<its path>`, each checkpoint at
 * `checkpoints/<epoch>-<size>`, each submission mark at `submitted/<epoch>-<position>-<writer>`.
 *
 * Numbers in the names of checkpoints and marks have leading zeros, so newer files sort later. A
 * checkpoint that a frozen process writes late therefore never replaces a newer one.
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
      // A newer checkpoint has replaced this file since it was listed.
    }
    throw new StorageUnavailable('the newest checkpoint of the log cannot be read');
  }

  async readLastCheckpoints(): Promise<readonly string[]> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const names = (await this.#files.list(checkpoints)).toSorted();
      const newest = new Map(names.map((name) => [name.slice(0, epochDigits), name]));
      const files = [...newest.values()].map((name) => this.#files.read(`${checkpoints}/${name}`));
      const notes = (await Promise.all(files)).filter((note) => note !== null);
      // A newer checkpoint may have replaced a file since it was listed.
      if (notes.length === newest.size) return notes.map((note) => note.toString('utf8'));
    }
    throw new StorageUnavailable('the newest checkpoints of the log cannot be read');
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

  async writeSubmitted(writer: string, mark: SubmittedMark): Promise<void> {
    const files = this.#files;
    const bytes = Buffer.from(formatSubmittedMark(mark), 'utf8');
    await (files.writeEssential ?? files.write).call(files, markFile(writer, mark), bytes);
  }

  async removeSubmitted(writer: string, mark: SubmittedMark): Promise<void> {
    const files = this.#files;
    await (files.removeEssential ?? files.remove).call(files, markFile(writer, mark));
  }

  async readSubmitted(): Promise<readonly SubmittedMark[]> {
    for (let attempt = 1; ; attempt += 1) {
      const names = await this.#files.list(submitted);
      const read = await Promise.all(
        names.map(async (name) => {
          const file = `${submitted}/${name}`;
          const bytes = await this.#files.read(file);
          return bytes === null
            ? []
            : { file: `${logFolder}/${file}`, text: bytes.toString('utf8') };
        }),
      );
      const marks = read.flat();
      // A running process has replaced the missing marks, and may do so again: limit the attempts.
      if (marks.length < names.length && attempt < attempts) continue;
      return marks.map(({ file, text }) => parseSubmittedMark(file, text));
    }
  }

  async removeSubmittedUpTo(origin: string, size: number): Promise<void> {
    const bound = placeIn(origin, size);
    const names = await this.#files.list(submitted);
    const covered = names.filter((name) => name.slice(0, bound.length) <= bound);
    for (const name of covered) await this.#files.remove(`${submitted}/${name}`);
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

function markFile(writer: string, { origin, position }: SubmittedMark): string {
  return `${submitted}/${placeIn(origin, position)}-${writer}`;
}

function nameOf(note: string): string {
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) throw new TypeError('not a checkpoint of ours');
  return placeIn(checkpoint.origin, checkpoint.size);
}

/** Prefix of a file name that sorts by epoch, then by size or position. */
function placeIn(origin: string, size: number): string {
  const named = parseOrigin(origin);
  if (named === null) throw new TypeError(`not an origin of ours: ${origin}`);
  const epoch = String(named.epoch).padStart(epochDigits, '0');
  return `${epoch}-${String(size).padStart(sizeDigits, '0')}`;
}

function tileFile(origin: string, tile: Tile): string {
  const named = parseOrigin(origin);
  if (named === null) throw new TypeError(`not an origin of ours: ${origin}`);
  return `${named.logId}/${named.epoch}/${tilePath(tile)}`;
}

/** A full tile is stored with other bytes: another history was published before. */
class TileConflict extends OperatorError {
  constructor(path: string) {
    super(
      `${path} under STORAGE_URL has another history than the database: nothing is published. ` +
        'If the database was restored from a backup, `ops log restored` continues it as a new epoch',
    );
  }
}
