import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missing } from '../../storage/missing.ts';
import { StorageUnavailable } from '../../storage/storage-unavailable.ts';
import { type LogFiles, logFolder } from './log-files.ts';

/**
 * The log's files in the folder of a `FileStorage`, which has been opened before: without its
 * staging area it is a volume that is not mounted, and away.
 */
export class FileLogFiles implements LogFiles {
  readonly #storage: string;
  readonly #folder: string;
  readonly #stagingName: string;
  /** Folders that are there and whose names are on stable storage. */
  readonly #ready = new Set<string>();

  constructor(storageFolder: string, stagingName: string) {
    this.#storage = storageFolder;
    this.#folder = join(storageFolder, logFolder);
    this.#stagingName = stagingName;
  }

  read(name: string): Promise<Buffer | null> {
    return using(`reading ${name}`, async () => {
      const bytes = await readFile(join(this.#folder, name)).catch(missing(null));
      if (bytes === null) await this.#checkThere();
      return bytes;
    });
  }

  write(name: string, bytes: Buffer): Promise<void> {
    const file = join(this.#folder, name);
    return using(`writing ${name}`, async () => {
      await this.#checkThere();
      await this.#makeFolder(dirname(file));
      // In the same folder, under a name that no file has.
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
    });
  }

  remove(name: string): Promise<void> {
    return using(`removing ${name}`, async () => {
      await rm(join(this.#folder, name), { force: true });
    });
  }

  list(folder: string): Promise<readonly string[]> {
    return using(`listing ${folder}`, async () => {
      const names = await readdir(join(this.#folder, folder)).catch(missing(null));
      if (names === null) await this.#checkThere();
      return (names ?? []).filter((name) => !name.startsWith('.'));
    });
  }

  async close(): Promise<void> {
    // Nothing is kept open.
  }

  async #checkThere(): Promise<void> {
    await stat(join(this.#storage, this.#stagingName));
  }

  /** Makes a folder below the storage's with those above it, and their names survive a loss of power. */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#ready.has(folder)) return;
    if (folder !== this.#storage) {
      await this.#makeFolder(dirname(folder));
      await mkdir(folder, { mode: 0o700 }).catch(present);
      await syncFolder(dirname(folder));
    }
    this.#ready.add(folder);
  }
}

function present(trouble: unknown): void {
  if (!(trouble instanceof Error && 'code' in trouble && trouble.code === 'EEXIST')) throw trouble;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function using<Value>(what: string, effect: () => Promise<Value>): Promise<Value> {
  try {
    return await effect();
  } catch (trouble) {
    throw StorageUnavailable.wrap(trouble, `the file storage failed: ${what} of the log`);
  }
}
