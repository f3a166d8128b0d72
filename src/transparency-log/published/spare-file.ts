import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missing } from '../../files/missing.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { processMark } from '../../storage/process-mark.ts';

const prefix = '.spare-';
/** One block of common file systems. A larger file cannot be written into it. */
const spareBytes = 4_096;

/**
 * A hidden file that keeps the space of a small one, so that this can be written while the disk is
 * full: overwriting a file and renaming it takes no new space. File systems that never overwrite,
 * such as btrfs and ZFS, may refuse it all the same.
 */
export class SpareFile {
  #path: string | null = null;

  /** Sets the space aside in this folder, if it is not yet; does nothing if there is none. */
  async setAside(folder: string): Promise<void> {
    if (this.#path !== null) return;
    const path = nameIn(folder);
    this.#path = path;
    try {
      await removeThoseOfDead(folder);
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(Buffer.alloc(spareBytes));
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch {
      this.#path = null;
      await rm(path, { force: true }).catch(() => {});
    }
  }

  /** Turns the spare into a file with these bytes, durably. Returns false if there is no spare. */
  async become(file: string, bytes: Buffer): Promise<boolean> {
    const path = this.#path;
    if (path === null || bytes.length > spareBytes) return false;
    this.#path = null;
    const handle = await open(path, 'r+');
    try {
      await handle.write(bytes, 0, bytes.length, 0);
      await handle.truncate(bytes.length);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(path, file);
    await syncFolder(dirname(file));
    return true;
  }

  /** Removes a file, if it exists. Keeps its space if there is no spare. */
  async takeOver(file: string): Promise<void> {
    if (this.#path !== null) return rm(file, { force: true });
    const path = nameIn(dirname(file));
    this.#path = path;
    await rename(file, path).catch((trouble: unknown) => {
      this.#path = null;
      return missing(undefined)(trouble);
    });
  }

  async discard(): Promise<void> {
    if (this.#path !== null) await rm(this.#path, { force: true }).catch(() => {});
    this.#path = null;
  }
}

function nameIn(folder: string): string {
  return join(folder, `${prefix}${processMark.ofThisProcess()}.${randomUUID()}`);
}

async function removeThoseOfDead(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [mark = ''] = name.slice(prefix.length).split('.');
    const isDead = name.startsWith(prefix) && processMark.isDead(mark);
    if (isDead) await rm(join(folder, name), { force: true });
  }
}
