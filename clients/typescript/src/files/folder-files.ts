import type { Dirent } from 'node:fs';
import { notReadable } from './local-files.ts';
import { nodeModule } from './node.ts';

/** A file below a folder: its path, and its name relative to the folder, with `/` between folders. */
interface FolderFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Every entry below a folder that is no folder, in the order of names; in Node. Links to folders are
 * entries, and not followed. A folder below that cannot be read is an entry, too. `without` are paths to
 * leave out. Rejects with FILE_NOT_READABLE if the folder itself cannot be read.
 */
export async function* folderFiles(
  folder: string,
  without: readonly string[] = [],
): AsyncGenerator<FolderFile> {
  const { resolve } = await nodeModule('node:path');
  const left = new Set(without.map((path) => resolve(path)));
  const path = resolve(folder);
  const entries = await entriesOf(path).catch((cause) => {
    throw notReadable(path, cause);
  });
  for await (const file of below(path, '', entries)) if (!left.has(file.path)) yield file;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const { readdir } = await nodeModule('node:fs/promises');
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* below(
  folder: string,
  prefix: string,
  entries: readonly Dirent[],
): AsyncGenerator<FolderFile> {
  const { join } = await nodeModule('node:path');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    const inside = entry.isDirectory() ? await entriesOf(path).catch(() => null) : null;
    if (inside === null) yield { name, path };
    else yield* below(path, `${name}/`, inside);
  }
}
