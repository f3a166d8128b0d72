import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Replaces a file atomically: after a crash it has the old content or the new one. */
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
