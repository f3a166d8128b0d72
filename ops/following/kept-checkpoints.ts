import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { epochOf } from '../../src/domain/log/origin.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';

/** A checkpoint that was found consistent with all earlier ones. */
export interface KeptCheckpoint extends Checkpoint {
  readonly note: string;
  /** When it was first seen, in ms since 1970. */
  readonly seenAtMs: number;
}

const hourMs = 3_600_000;
const privately = 0o600;
const named = /^\d{9}-\d{16}$/;

/**
 * The checkpoints of a followed log, a file each, named `<epoch>-<size>` so that newer ones sort
 * later. A file is durable when `keep` resolves. Keeps the newest checkpoint, and one of each hour
 * before: a checkpoint commits to everything that earlier ones commit to.
 */
export class KeptCheckpoints {
  readonly #folder: string;
  #newest: KeptCheckpoint | null = null;
  #hourly = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<KeptCheckpoints> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = new KeptCheckpoints(folder);
    const names = (await readdir(folder)).filter((name) => named.test(name)).sort();
    const last = names.at(-1);
    if (last === undefined) return kept;
    const file = join(folder, last);
    const note = await readFile(file, 'utf8');
    const checkpoint = readCheckpoint(note);
    if (checkpoint === null || nameOf(checkpoint) !== last) {
      throw new OperatorError(
        `${file} is damaged: restore it, or remove it to follow from the one before`,
      );
    }
    kept.#newest = { ...checkpoint, note, seenAtMs: (await stat(file)).mtimeMs };
    return kept;
  }

  /** Null before the first one. */
  get newest(): KeptCheckpoint | null {
    return this.#newest;
  }

  async keep(note: string, checkpoint: Checkpoint, seenAtMs: number): Promise<void> {
    const before = this.#newest;
    await replaceFile(join(this.#folder, nameOf(checkpoint)), note, privately);
    this.#newest = { ...checkpoint, note, seenAtMs };
    // The checkpoint before stays if it is the first of its hour or of its epoch.
    if (before === null) return;
    const isHourly = before.seenAtMs - this.#hourly >= hourMs;
    if (isHourly || before.origin !== checkpoint.origin) this.#hourly = before.seenAtMs;
    else await rm(join(this.#folder, nameOf(before)), { force: true });
  }
}

function nameOf({ origin, size }: Checkpoint): string {
  const epoch = Math.max(1, epochOf(origin));
  return `${String(epoch).padStart(9, '0')}-${String(size).padStart(16, '0')}`;
}
