import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** 16 hexadecimal digits that change with any file below these folders of the project. */
export async function digestOfFolders(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const path = resolve(import.meta.dirname, '../..', folder);
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
      hash.update(`${file}\n`).update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
