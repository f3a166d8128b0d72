import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StagedBlob } from './contract.ts';
import { makeSubfolder } from './make-subfolder.ts';
import { missing } from './missing.ts';
import { processMark } from './process-mark.ts';
import { StagedFile } from './staged-file.ts';

/**
 * A folder in which uploads are received, each in a file of its own; every process has a subfolder
 * of its own, named after it.
 */
export class StagingArea {
  readonly #folder: string;
  readonly #own: string;
  readonly #durable: boolean;

  /** @param durable whether a staged file is on stable storage once it is staged */
  private constructor(folder: string, durable: boolean) {
    this.#folder = folder;
    this.#own = join(folder, processMark.ofThisProcess());
    this.#durable = durable;
  }

  /** Makes the folder (0700) if need be, and removes what processes that are dead left there. */
  static async open(folder: string, { durable }: { durable: boolean }): Promise<StagingArea> {
    const area = new StagingArea(folder, durable);
    await mkdir(area.#own, { recursive: true, mode: 0o700 });
    for (const mark of await readdir(folder)) {
      if (processMark.isDead(mark)) await rm(join(folder, mark), { recursive: true, force: true });
    }
    return area;
  }

  /** As `BlobStorage.stage`. */
  async stage(source: Readable): Promise<StagedBlob> {
    const path = join(this.#own, randomUUID());
    const discard = () => rm(path, { force: true });
    const file = new StagedFile(() => this.#create(path), this.#durable);
    try {
      await pipeline(source, file);
      return { ...file.facts(), path, discard };
    } catch (trouble) {
      // Until it is closed it may still be about to be created.
      if (!file.closed) await new Promise((closed) => file.once('close', closed));
      await discard().catch(() => {
        // It is swept later; what made the upload fail is what the caller must know.
      });
      throw trouble;
    }
  }

  /** Removes staged files that were last written to before `before`; returns how many. */
  async sweep(before: Date): Promise<number> {
    let swept = 0;
    for (const mark of await readdir(this.#folder)) {
      const folder = join(this.#folder, mark);
      for (const name of await readdir(folder).catch(missing([]))) {
        const { mtime } = await stat(join(folder, name)).catch(missing({ mtime: before }));
        if (mtime >= before) continue;
        await rm(join(folder, name), { force: true });
        swept += 1;
      }
      // Stays while there is something in it; a process that lives makes its own again.
      if (folder !== this.#own) await rmdir(folder).catch(() => {});
    }
    return swept;
  }

  /** Its own subfolder may have been swept; without the folder itself there is no area any more. */
  async #create(path: string): Promise<FileHandle> {
    const handle = await open(path, 'wx', 0o600).catch(missing(null));
    if (handle !== null) return handle;
    await makeSubfolder(this.#own);
    return await open(path, 'wx', 0o600);
  }
}
