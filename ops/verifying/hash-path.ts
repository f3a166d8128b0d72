import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of a file of any size, lower-case hex. */
export async function hashPath(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: chunkBytes }), hash);
  } catch (cause) {
    throw new Error(`cannot read ${path}`, { cause });
  }
  return hash.digest('hex');
}

/** Reading smaller chunks is slower than hashing them. */
const chunkBytes = 1024 * 1024;
