import { stat } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { stdin } from 'node:process';
import { glob, isDynamicPattern } from 'tinyglobby';
import { ProofmarkError } from '../src/errors.ts';
import { folderFiles } from '../src/files/folder-files.ts';
import type { NamedFile } from '../src/proving/files-to-prove.ts';
import { wrongUse } from './ending.ts';

/** A file to prove. `sentName` has no folders but those below a named folder. */
export interface GivenFile extends NamedFile {
  readonly sentName: string | null;
  /** Size in bytes; null if unknown. */
  readonly bytes: number | null;
}

interface GivenOptions {
  readonly recursive?: boolean;
  /** Name to send for standard input. */
  readonly name?: string;
  /** Paths that are left out of folders. */
  readonly without: readonly string[];
}

/**
 * Files that the arguments name: paths, patterns, folders, or `-` for standard input. An argument without
 * a readable file becomes a file that fails when it is read. Each path comes once.
 */
export async function filesOf(
  given: readonly string[],
  options: GivenOptions,
): Promise<GivenFile[]> {
  const files = new Map<string, GivenFile>();
  for (const argument of given) {
    for (const file of await expand(argument, options)) {
      if (!files.has(file.name)) files.set(file.name, file);
    }
  }
  return [...files.values()];
}

/** Folders are only opened where the pattern says so, as by a shell. */
const globOptions = { dot: false, onlyFiles: true, expandDirectories: false };

async function expand(argument: string, options: GivenOptions): Promise<GivenFile[]> {
  if (argument === '') throw wrongUse('an argument is empty: name a file');
  if (argument === '-') {
    return [{ name: '-', file: readStdin(), sentName: options.name ?? null, bytes: null }];
  }
  const found = await look(argument);
  if (found === 'file' && isDynamicPattern(argument) && !(await exists(argument))) {
    const pattern = argument.replaceAll(sep, '/');
    const paths = (await glob(pattern, globOptions)).sort();
    if (paths.length === 0) return [unreadable(argument, 'matches no file')];
    return Promise.all(paths.map((path) => named(path, basename(path))));
  }
  if (found === 'file') return [await named(argument, basename(argument))];
  if (!options.recursive) return [unreadable(argument, 'is a folder: add --recursive')];
  return below(argument, options.without);
}

async function below(folder: string, without: readonly string[]): Promise<GivenFile[]> {
  const files: GivenFile[] = [];
  try {
    for await (const { name, path } of folderFiles(folder, without)) {
      files.push({ ...(await named(path, name)), name: `${folder.replace(/\/+$/, '')}/${name}` });
    }
  } catch (error) {
    // Files that could be listed are proven all the same.
    files.push(unreadable(folder, `cannot be listed completely (${(error as Error).message})`));
  }
  return files.length > 0 ? files : [unreadable(folder, 'is a folder without files')];
}

async function named(path: string, sentName: string): Promise<GivenFile> {
  const stats = await stat(path).catch(() => null);
  return { name: path, file: path, sentName, bytes: stats?.isFile() ? stats.size : null };
}

async function look(path: string): Promise<'folder' | 'file'> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ? 'folder' : 'file';
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

function unreadable(name: string, why: string): GivenFile {
  return { name, file: failing(`${name} ${why}`), sentName: null, bytes: null };
}

// biome-ignore lint/correctness/useYield: a source without bytes, which fails when it is read
async function* failing(message: string): AsyncGenerator<Uint8Array> {
  throw new ProofmarkError('FILE_NOT_READABLE', message);
}

/** An empty input is mostly the output of a command that failed. */
export async function* readStdin(): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of stdin) {
    isEmpty &&= chunk.length === 0;
    yield chunk;
  }
  if (!isEmpty) return;
  throw new ProofmarkError(
    'FILE_NOT_READABLE',
    'standard input is empty: check the command before the pipe',
  );
}
