import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../errors/operator-error.ts';
import { missing } from '../files/missing.ts';
import { replaceFile } from '../files/replace-file.ts';
import { type Checkpoint, readCheckpoint } from '../transparency-log/checkpoint/checkpoint.ts';
import { ownSignatures } from '../transparency-log/cosigning/own-signatures.ts';
import type { ReadKey } from '../verifier/log/note-key.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';

const mode = 0o600;

/** Newest checkpoint of each log that a witness cosigned: a file for each, named by its origin. */
export class CosignedCheckpoints {
  readonly #folder: string;
  readonly #key: ReadKey;

  /** @param key the witness's own, which has signed every stored checkpoint */
  constructor(folder: string, key: ReadKey) {
    this.#folder = folder;
    this.#key = key;
  }

  /**
   * Reads the newest cosigned checkpoint; null if none was cosigned. Rejects for a damaged file,
   * which must never count as none.
   */
  async read(
    origin: string,
  ): Promise<{ readonly checkpoint: Checkpoint; readonly note: string } | null> {
    const note = await this.readFile(originHash(origin));
    if (note === null) return null;
    const parsed = readSignedNote(note);
    const checkpoint = readCheckpoint(note);
    const own = parsed === null ? [] : ownSignatures(this.#key, parsed);
    if (checkpoint?.origin === origin && own.length > 0) return { checkpoint, note };
    throw new OperatorError(
      `${this.#file(originHash(origin))} is damaged, and nothing of ${origin} is cosigned any more: ` +
        'put the very same file back, never an older copy, or make a new witness with a new key',
    );
  }

  /** Reads a note as stored, by the lower-case hexadecimal SHA-256 of its origin; null if none. */
  readFile(named: string): Promise<string | null> {
    return readFile(this.#file(named), 'utf8').catch(missing(null));
  }

  /** Replaces the newest cosigned checkpoint. It is durable when this resolves. */
  async write(origin: string, note: string): Promise<void> {
    await replaceFile(this.#file(originHash(origin)), note, mode);
  }

  #file(named: string): string {
    return join(this.#folder, named);
  }
}

function originHash(origin: string): string {
  return hash('sha256', origin, 'hex');
}
