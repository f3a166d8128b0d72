import { mkdir } from 'node:fs/promises';

/** Makes a folder (0700), unless it is there already, in one that must be there. */
export async function makeSubfolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((trouble: unknown) => {
    const isThere = trouble instanceof Error && 'code' in trouble && trouble.code === 'EEXIST';
    if (!isThere) throw trouble;
  });
}
