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
 * Number of spare files. A publisher may have removed the file before, which then becomes no spare;
 * and two networks write at the same time.
 */
const mostSpare = 4;

/**
 * Hidden files that keep the space of small ones, so that these can be written while the disk is
 * full: overwriting a file and renaming it takes no new space. File systems that never overwrite,
 * such as btrfs and ZFS, may refuse it all the same.
 */
export class SpareFiles {
  readonly #paths: string[] = [];

  /** Sets space aside in this folder, if it is not yet; does nothing if there is none. */
  async setAside(folder: string): Promise<void> {
    if (this.#paths.length >= mostSpare) return;
    try {
      await removeThoseOfDead(folder);
      while (this.#paths.length < mostSpare) this.#paths.push(await makeSpare(nameIn(folder)));
    } catch {
      // The next call tries again.
    }
  }

  /** Turns a spare into a file with these bytes, durably. Returns false if there is no spare. */
  async become(file: string, bytes: Buffer): Promise<boolean> {
    const path = bytes.length > spareBytes ? undefined : this.#paths.pop();
    if (path === undefined) return false;
    try {
      await overwrite(path, bytes);
      await rename(path, file);
    } catch (trouble) {
      await rm(path, { force: true }).catch(() => {});
      throw trouble;
    }
    await syncFolder(dirname(file));
    return true;
  }

  /** Removes a file, if it exists. Keeps its space if there are too few spares. */
  async takeOver(file: string): Promise<void> {
    if (this.#paths.length >= mostSpare) return rm(file, { force: true });
    const path = nameIn(dirname(file));
    if (await rename(file, path).then(() => true, missing(false))) this.#paths.push(path);
  }

  async discard(): Promise<void> {
    for (const path of this.#paths.splice(0)) await rm(path, { force: true }).catch(() => {});
  }
}

async function overwrite(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, 0);
    if (bytesWritten !== bytes.length) throw new Error('a file was written in part');
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Rejects, and leaves nothing, if there is no space. */
async function makeSpare(path: string): Promise<string> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(spareBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    return path;
  } catch (trouble) {
    await rm(path, { force: true }).catch(() => {});
    throw trouble;
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
