import { toHex } from './hexadecimal.js';
import { sha256 } from './noble-hashes/sha2.js';

/** Two of them are in memory at a time, however large the file is. */
const chunkBytes = 4 * 1024 * 1024;

/**
 * The SHA-256 of a file, in hexadecimal. Rejects if the file cannot be read, or changes meanwhile.
 * @param {Blob} file
 * @param {(doneBytes: number) => void} onProgress
 */
export async function hashFile(file, onProgress) {
  const hash = sha256.create();
  let coming = chunkAt(file, 0);
  for (let at = 0; at < file.size; at += chunkBytes) {
    const chunk = await coming;
    coming = chunkAt(file, at + chunkBytes);
    hash.update(new Uint8Array(chunk));
    onProgress(Math.min(at + chunkBytes, file.size));
  }
  await coming;
  return toHex(hash.digest());
}

/**
 * @param {Blob} file
 * @param {number} at
 */
function chunkAt(file, at) {
  const chunk = file.slice(at, at + chunkBytes).arrayBuffer();
  // It is awaited a chunk later; until then a failure is nobody's.
  chunk.catch(() => {});
  return chunk;
}
