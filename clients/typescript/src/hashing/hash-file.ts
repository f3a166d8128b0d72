import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isNode, nodeModule } from '../files/node.ts';
import type { FileSource, OpenSource } from './file-source.ts';
import { openSource } from './open-source.ts';

/** Progress of reading one file. */
export interface HashProgress {
  readonly bytes: number;
  /** Size of the file; null for a stream. */
  readonly totalBytes: number | null;
}

export interface HashOptions {
  /** Called after each part that was read. */
  readonly onProgress?: (progress: HashProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The SHA-256 of a file: 64 lower-case hexadecimal characters; and its size in bytes. */
export interface FileHash {
  readonly hash: string;
  readonly size: number;
}

/**
 * Computes the SHA-256 of a file without holding it in memory. Rejects with FILE_NOT_READABLE, with
 * FILE_CHANGED if a file on disk was altered meanwhile, or with the reason of the signal.
 */
export async function hashFile(source: FileSource, options: HashOptions = {}): Promise<FileHash> {
  return hashOpened(await openSource(source), options);
}

/** As `hashFile`, for a source that is open. */
export async function hashOpened(
  { chunks, size: totalBytes, checkUnchanged }: OpenSource,
  { onProgress, signal }: HashOptions = {},
): Promise<FileHash> {
  const hasher = await createHasher();
  let bytes = 0;
  signal?.throwIfAborted();
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    hasher.update(chunk);
    bytes += chunk.length;
    onProgress?.({ bytes, totalBytes });
  }
  signal?.throwIfAborted();
  await checkUnchanged();
  return { hash: hasher.hex(), size: bytes };
}

interface Hasher {
  update(bytes: Uint8Array): void;
  hex(): string;
}

/** Node's own SHA-256 is several times as fast. Browsers have none that takes a file in parts. */
async function createHasher(): Promise<Hasher> {
  if (isNode) {
    const hash = (await nodeModule('node:crypto')).createHash('sha256');
    return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
  }
  const hash = sha256.create();
  return {
    update: (bytes) => hash.update(bytes),
    hex: () => bytesToHex(hash.digest()),
  };
}
