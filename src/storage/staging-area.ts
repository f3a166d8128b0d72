import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import { isNoSpace } from '../files/is-no-space.ts';
import { makeSubfolder } from '../files/make-subfolder.ts';
import { missing } from '../files/missing.ts';
import type { StagedBlob } from './contract.ts';
import { processMark } from './process-mark.ts';
import { diskFailure, type NewFile, StagedFile } from './staged-file.ts';

/** Folder of uploads in progress, one file each. Every process has a subfolder named after it. */
export class StagingArea {
  readonly #folder: string;
  readonly #own: string;
  readonly #durable: boolean;

  /** @param durable true to put staged files on stable storage */
  private constructor(folder: string, durable: boolean) {
    this.#folder = folder;
    this.#own = join(folder, processMark.ofThisProcess());
    this.#durable = durable;
  }

  /** An area to which nothing is written: the storage is only read. */
  static toRead(folder: string): StagingArea {
    return new StagingArea(folder, false);
  }

  /** Makes the folder (0700) if necessary, and removes leftovers of dead processes. */
  static async open(folder: string, { durable }: { durable: boolean }): Promise<StagingArea> {
    const area = new StagingArea(folder, durable);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A full disk does not prevent the start: `stage` makes the subfolder when there is space.
    await makeSubfolder(area.#own).catch(unlessFull);
    for (const mark of await readdir(folder)) {
      if (processMark.isDead(mark)) await rm(join(folder, mark), { recursive: true, force: true });
    }
    return area;
  }

  /** As `ObjectStorage.stage`. */
  async stage(source: Readable, encryption: () => Promise<FileEncryption>): Promise<StagedBlob> {
    const { file, ...staged } = await this.#receive(source, encryption);
    return { ...staged, ...file.facts(), ...file.decipherable() };
  }

  /** Stages a text that is no secret. */
  async stageText(text: string): Promise<Pick<StagedBlob, 'path' | 'discard'>> {
    return await this.#receive(Readable.from([Buffer.from(text)]), async () => null);
  }

  async #receive(source: Readable, encryption: () => Promise<FileEncryption | null>) {
    const path = join(this.#own, randomUUID());
    const discard = () => rm(path, { force: true });
    const file = new StagedFile(() => this.#newFile(path, encryption), this.#durable);
    try {
      await pipeline(source, file);
      return { file, path, discard };
    } catch (trouble) {
      // A file that is not closed yet may still be created.
      if (!file.closed) await new Promise((closed) => file.once('close', closed));
      await discard().catch(() => {
        // The sweep removes the file later; the caller needs the error of the upload.
      });
      throw trouble;
    }
  }

  /** Removes staged files last written before `before`; returns their number. */
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
      // Fails while the folder has files; a live process makes its subfolder again.
      if (folder !== this.#own) await rmdir(folder).catch(() => {});
    }
    return swept;
  }

  /** The encryption comes first: without a key no file is made. */
  async #newFile(
    path: string,
    newEncryption: () => Promise<FileEncryption | null>,
  ): Promise<NewFile> {
    const encryption = await newEncryption();
    const handle = await this.#create(path).catch((cause: unknown) => {
      throw diskFailure(cause);
    });
    return { handle, encryption };
  }

  /** Makes the process's subfolder again if it was swept. Fails if the area itself is gone. */
  async #create(path: string): Promise<FileHandle> {
    const handle = await open(path, 'wx', 0o600).catch(missing(null));
    if (handle !== null) return handle;
    await makeSubfolder(this.#own);
    return await open(path, 'wx', 0o600);
  }
}

function unlessFull(trouble: unknown): void {
  if (!isNoSpace(trouble)) throw trouble;
}
