import { nodeModule } from './node.ts';

/** A file below a folder: its path, and its name relative to the folder, with `/` between folders. */
interface FolderFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Every entry below a folder that is no folder, in the order of names; in Node. Links to folders are
 * entries, and not followed. `without` are paths to leave out.
 */
export async function* folderFiles(
  folder: string,
  without: readonly string[] = [],
): AsyncGenerator<FolderFile> {
  const { resolve } = await nodeModule('node:path');
  const left = new Set(without.map((path) => resolve(path)));
  for await (const file of below(resolve(folder), '')) if (!left.has(file.path)) yield file;
}

async function* below(folder: string, prefix: string): AsyncGenerator<FolderFile> {
  const { readdir } = await nodeModule('node:fs/promises');
  const { join } = await nodeModule('node:path');
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* below(path, `${name}/`);
    else yield { name, path };
  }
}
