import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file as a whole: after a crash there is the old content or the new one. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const unfinished = `${file}.new`;
  const handle = await open(unfinished, 'w', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(dirname(file));
}

/** Makes what was created or renamed in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
