import { mkdir } from 'node:fs/promises';

/** Makes a folder (0700) in an existing one, unless it exists already. */
export async function makeSubfolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((trouble: unknown) => {
    const isThere = trouble instanceof Error && 'code' in trouble && trouble.code === 'EEXIST';
    if (!isThere) throw trouble;
  });
}
