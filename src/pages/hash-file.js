import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * The SHA-256 of a file, in hexadecimal. Rejects if the file cannot be read, changes meanwhile, or
 * if `onProgress` throws.
 *
 * @param {Blob} file
 * @param {(doneBytes: number) => void} onProgress
 */
export async function hashFile(file, onProgress) {
  const hash = sha256.create();
  let doneBytes = 0;
  let turnedAt = performance.now();
  for await (const chunk of chunksOf(file)) {
    hash.update(chunk);
    doneBytes += chunk.length;
    onProgress(doneBytes);
    if (performance.now() - turnedAt > turnEveryMs) {
      await otherTasks();
      turnedAt = performance.now();
    }
  }
  if (doneBytes !== file.size) throw new Error('the file ended too early, or too late');
  return bytesToHex(hash.digest());
}

const chunkBytes = 1024 * 1024;
/** Chunks may arrive without a pause, so that nothing else in this thread would run. */
const turnEveryMs = 50;

/** Resolves after the tasks that wait in this thread, such as a smaller file. */
function otherTasks() {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Each chunk is valid only until the next one: chunks share their memory if the browser supports
 * it. Without shared memory, a large file takes 150 MB more until the garbage collector runs.
 *
 * @param {Blob} file
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunksOf(file) {
  if (file.size <= chunkBytes) {
    // Hundreds of small files would leave more streams open than a browser has.
    yield new Uint8Array(await file.arrayBuffer());
    return;
  }
  const reader = sharingReader(file);
  if (reader === null) {
    for (let at = 0; at < file.size; at += chunkBytes) {
      yield new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
    }
    return;
  }
  let memory = new ArrayBuffer(chunkBytes);
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(memory));
    if (done) return;
    yield value;
    memory = value.buffer;
  }
}

/** @param {Blob} file */
function sharingReader(file) {
  try {
    return file.stream().getReader({ mode: 'byob' });
  } catch {
    return null; // the browser does not support byte streams of files
  }
}
