import { ProofmarkError } from '../errors.ts';
import { folderFiles } from '../files/folder-files.ts';
import { stateOf, statFile } from '../files/local-files.ts';
import type { FileSource } from '../hashing/file-source.ts';
import { hashFile } from '../hashing/hash-file.ts';
import type { Journal } from './journal.ts';

/** A file with the name under which its result is given. */
export interface NamedFile {
  readonly name: string;
  readonly file: FileSource;
}

/** The hash of a file that is elsewhere. */
export interface NamedHash {
  readonly name: string;
  /** SHA-256: 64 hexadecimal characters, in upper or lower case. */
  readonly hash: string;
  /** Bytes of the file, if they are known. */
  readonly size?: number;
}

type FileToProve = string | File | NamedFile | NamedHash;

/** Paths (in Node), Files, named files, or hashes. */
export type FilesToProve = Iterable<FileToProve> | AsyncIterable<FileToProve>;

/** A file that was read, or could not be. `size` is null if only the hash is known. */
export type ReadFile =
  | { readonly name: string; readonly hash: string; readonly size: number | null }
  | { readonly name: string; readonly error: ProofmarkError };

interface ReadOptions {
  readonly journal: Journal | null;
  readonly signal: AbortSignal;
  readonly onProgress:
    | ((progress: {
        readonly name: string;
        readonly bytes: number;
        readonly totalBytes: number | null;
      }) => void)
    | undefined;
}

/** Named files of a folder's path, or those and hashes of a list. `without` are paths to leave out of a folder. */
export async function* namedFiles(
  files: string | FilesToProve,
  without: readonly string[],
): AsyncGenerator<NamedFile | NamedHash> {
  if (typeof files === 'string') {
    for await (const { name, path } of folderFiles(files, without)) yield { name, file: path };
    return;
  }
  for await (const each of files) {
    if (typeof each === 'string') yield { name: each, file: each };
    else if ('file' in each || 'hash' in each) yield each;
    else yield { name: each.webkitRelativePath || each.name, file: each };
  }
}

/** Hashes the files, except for those that the journal knows and that have not changed since. */
export async function* readFiles(
  files: AsyncIterable<NamedFile | NamedHash>,
  { journal, signal, onProgress }: ReadOptions,
): AsyncGenerator<ReadFile> {
  for await (const each of files) {
    signal.throwIfAborted();
    if ('hash' in each) {
      yield checked(each);
      continue;
    }
    const { name, file } = each;
    try {
      const state = journal && typeof file === 'string' ? stateOf(await statFile(file)) : null;
      const known = state === null ? null : journal?.file(name, state);
      if (known) {
        yield { name, hash: known.hash, size: known.size };
        continue;
      }
      const report = onProgress && { onProgress: (now: Progress) => onProgress({ name, ...now }) };
      const { hash, size } = await hashFile(file, { signal, ...report });
      if (state !== null) await journal?.recordFile(name, { state, hash, size });
      yield { name, hash, size };
    } catch (error) {
      if (signal.aborted || !isOfFile(error)) throw error;
      yield { name, error };
    }
  }
}

function checked({ name, hash, size }: NamedHash): ReadFile {
  if (/^[0-9a-f]{64}$/i.test(hash)) return { name, hash: hash.toLowerCase(), size: size ?? null };
  const message = `hash of ${name}: must have 64 hexadecimal characters`;
  throw new ProofmarkError('INVALID_OPTION', message);
}

interface Progress {
  readonly bytes: number;
  readonly totalBytes: number | null;
}

function isOfFile(error: unknown): error is ProofmarkError {
  return (
    error instanceof ProofmarkError && ['FILE_NOT_READABLE', 'FILE_CHANGED'].includes(error.code)
  );
}
