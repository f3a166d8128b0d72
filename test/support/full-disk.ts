import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { newFolder } from './blobs.ts';

/** A disk that can be filled and freed. */
export interface FullDisk {
  readonly folder: string;
  /** Leaves no space. Resolves when every write of new bytes fails. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

export const kindsOfDisk = ['with ENOSPC from the system call', 'on a tmpfs that is full'] as const;

/**
 * A disk of 4 MiB. A tmpfs needs the right to mount; without it the test is skipped. The other kind
 * works everywhere: while it is full, every write of a new file in this process fails.
 */
export async function smallDisk(
  t: Test,
  kind: (typeof kindsOfDisk)[number],
): Promise<FullDisk | null> {
  const folder = await newFolder(t);
  return kind === kindsOfDisk[0] ? failingDisk(t, folder) : tmpfs(t, folder);
}

const sizeBytes = 4 * 2 ** 20;

async function failingDisk(t: Test, folder: string): Promise<FullDisk> {
  const handle = await open(import.meta.filename, 'r');
  const calls = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { writeFile, writev } = calls;
  t.teardown(() => Object.assign(calls, { writeFile, writev }));
  const full = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return {
    folder,
    fill: async () => void Object.assign(calls, { writeFile: full, writev: full }),
    free: async () => void Object.assign(calls, { writeFile, writev }),
  };
}

async function tmpfs(t: Test, folder: string): Promise<FullDisk | null> {
  const call = promisify(execFile);
  try {
    await call('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0700`, 'tmpfs', folder]);
  } catch {
    t.comment('not tested with a real file system: this machine does not permit to mount a tmpfs');
    return null;
  }
  t.teardown(() => call('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const handle = await open(ballast, 'a');
      const chunk = Buffer.alloc(4_096);
      try {
        for (;;) await handle.write(chunk);
      } catch (trouble) {
        if ((trouble as NodeJS.ErrnoException).code !== 'ENOSPC') throw trouble;
      } finally {
        await handle.close();
      }
    },
    free: () => rm(ballast, { force: true }),
  };
}
