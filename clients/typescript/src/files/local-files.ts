import type { BigIntStats } from 'node:fs';
import { ProofmarkError } from '../errors.ts';
import type { OpenSource } from '../hashing/file-source.ts';
import { nodeModule } from './node.ts';

const chunkBytes = 1_048_576;

/** Opens a file on disk, in Node. */
export async function openLocalFile(path: string | URL): Promise<OpenSource> {
  const { createReadStream } = await nodeModule('node:fs');
  const before = await statFile(path);
  return {
    chunks: readable(() => createReadStream(path, { highWaterMark: chunkBytes }), path),
    size: Number(before.size),
    name: await nameOf(path),
    mimeType: null,
    async checkUnchanged() {
      if (stateOf(await statFile(path)) === stateOf(before)) return;
      throw new ProofmarkError('FILE_CHANGED', `${path} was altered while it was read`);
    },
  };
}

/** Facts about a regular file. Rejects with FILE_NOT_READABLE for anything else. */
export async function statFile(path: string | URL): Promise<BigIntStats> {
  const { stat } = await nodeModule('node:fs/promises');
  const stats = await stat(path, { bigint: true }).catch((cause) => {
    throw notReadable(path, cause);
  });
  if (!stats.isFile()) throw notReadable(path, undefined, 'is no file');
  return stats;
}

/** Changes whenever the content of the file changes. */
export function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

/** Opens the file at the first reading: an open stream that nobody reads is never closed. */
async function* readable(
  open: () => AsyncIterable<Uint8Array>,
  path: string | URL,
): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (cause) {
    throw notReadable(path, cause);
  }
}

export function notReadable(
  path: string | URL,
  cause?: unknown,
  why = 'cannot be read',
): ProofmarkError {
  const details = cause === undefined ? {} : { cause };
  return new ProofmarkError('FILE_NOT_READABLE', `${path} ${why}`, details);
}

/** A file on disk that is read when it is needed, and its name. */
export async function openLocalBlob(
  path: string | URL,
): Promise<{ readonly blob: Blob; readonly name: string }> {
  const { openAsBlob } = await nodeModule('node:fs');
  await statFile(path);
  const blob = (await openAsBlob(path)) as Blob;
  return { blob, name: await nameOf(path) };
}

async function nameOf(path: string | URL): Promise<string> {
  const { basename } = await nodeModule('node:path');
  return basename(typeof path === 'string' ? path : decodeURIComponent(path.pathname));
}
