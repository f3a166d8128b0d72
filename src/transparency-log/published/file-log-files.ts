import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isNoSpace } from '../../files/is-no-space.ts';
import { makeSubfolder } from '../../files/make-subfolder.ts';
import { missing } from '../../files/missing.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { fileReadMs, reachingFiles, readingFiles } from '../../storage/reaching.ts';
import { checkMounted, logFolder } from '../../storage/storage-folder.ts';
import type { LogFiles } from './log-files.ts';
import { SpareFiles } from './spare-files.ts';

/**
 * The log's files in the folder of a `FileStorage`, which must have been opened before. A folder
 * without the staging area is an unmounted volume, and is treated as unavailable.
 */
export class FileLogFiles implements LogFiles {
  readonly #storage: string;
  readonly #folder: string;
  readonly #readMs: number;
  readonly #spare = new SpareFiles();
  /** Existing folders whose names are on stable storage. */
  readonly #ready = new Set<string>();

  /** @param readMs limit of one read */
  constructor(storageFolder: string, { readMs = fileReadMs } = {}) {
    this.#readMs = readMs;
    this.#storage = storageFolder;
    this.#folder = join(storageFolder, logFolder);
  }

  read(name: string): Promise<Buffer | null> {
    const read = async () => {
      const bytes = await readFile(join(this.#folder, name)).catch(missing(null));
      if (bytes === null) await this.#checkThere();
      return bytes;
    };
    return readingFiles(`reading ${name} of the log`, read, this.#readMs);
  }

  write(name: string, bytes: Buffer): Promise<void> {
    return reachingFiles(`writing ${name} of the log`, () => this.#write(name, bytes));
  }

  writeEssential(name: string, bytes: Buffer): Promise<void> {
    const file = join(this.#folder, name);
    return reachingFiles(`writing ${name} of the log`, async () => {
      try {
        await this.#write(name, bytes);
      } catch (trouble) {
        if (!isNoSpace(trouble) || !(await this.#spare.become(file, bytes))) throw trouble;
        return;
      }
      await this.#spare.setAside(dirname(file));
    });
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const file = join(this.#folder, name);
    await this.#checkThere();
    await this.#makeFolder(dirname(file));
    // Write in the same folder, under an unused name.
    const unfinished = join(dirname(file), `.${randomUUID()}`);
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
      await syncFolder(dirname(file));
    } catch (trouble) {
      this.#ready.clear();
      await rm(unfinished, { force: true }).catch(() => {});
      throw trouble;
    }
  }

  remove(name: string): Promise<void> {
    return reachingFiles(`removing ${name} of the log`, async () => {
      await rm(join(this.#folder, name), { force: true });
    });
  }

  removeEssential(name: string): Promise<void> {
    return reachingFiles(`removing ${name} of the log`, () =>
      this.#spare.takeOver(join(this.#folder, name)),
    );
  }

  list(folder: string): Promise<readonly string[]> {
    const list = async () => {
      const names = await readdir(join(this.#folder, folder)).catch(missing(null));
      if (names === null) await this.#checkThere();
      return (names ?? []).filter((name) => !name.startsWith('.'));
    };
    return readingFiles(`listing ${folder} of the log`, list, this.#readMs);
  }

  async close(): Promise<void> {
    await this.#spare.discard();
  }

  #checkThere(): Promise<void> {
    return checkMounted(this.#storage);
  }

  /**
   * Creates a folder in the storage, and its parents, so that their names survive a loss of power.
   */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#ready.has(folder)) return;
    if (folder !== this.#storage) {
      await this.#makeFolder(dirname(folder));
      await makeSubfolder(folder);
      await syncFolder(dirname(folder));
    }
    this.#ready.add(folder);
  }
}
