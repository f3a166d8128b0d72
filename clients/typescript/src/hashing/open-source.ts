import { ProofmarkError } from '../errors.ts';
import { openLocalFile } from '../files/local-files.ts';
import type { FileSource, OpenSource } from './file-source.ts';

const unchanged = async (): Promise<void> => {};

/** Opens a source for one reading. Rejects with FILE_NOT_READABLE if there is no such file. */
export async function openSource(source: FileSource): Promise<OpenSource> {
  if (typeof source === 'string' || source instanceof URL) return openLocalFile(source);
  if (source instanceof Blob) {
    const { name } = source as Blob & { readonly name?: string };
    return {
      chunks: blobChunks(source),
      size: source.size,
      name: name === undefined || name === '' ? null : name,
      mimeType: source.type === '' ? null : source.type,
      checkUnchanged: unchanged,
    };
  }
  const of = { name: null, mimeType: null, checkUnchanged: unchanged };
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
    const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
    return { ...of, chunks: slicesOf(bytes), size: bytes.length };
  }
  const chunks = 'getReader' in source ? chunksOf(source) : source;
  return { ...of, chunks, size: null };
}

const sliceBytes = 1_048_576;

/** Parts of the bytes, so that hashing large ones reports its progress. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** A File whose file on disk is gone or altered cannot be read. */
async function* blobChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(blob.stream());
  } catch (cause) {
    throw new ProofmarkError('FILE_NOT_READABLE', 'the file cannot be read', { cause });
  }
}

/** Not every browser iterates over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isRead = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isRead) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
