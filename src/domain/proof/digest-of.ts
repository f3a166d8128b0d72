import { createHash } from 'node:crypto';
import type { Digest } from './digest.ts';

export function digestOf(bytes: Uint8Array): Digest {
  // A SHA-256 in hex is a digest.
  return createHash('sha256').update(bytes).digest('hex') as Digest;
}
