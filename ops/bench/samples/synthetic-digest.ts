import { createHash } from 'node:crypto';
import type { Digest } from '../../../src/domain/proof/digest.ts';

/** Synthetic digest, derived from a text. */
export function syntheticDigest(text: string): Digest {
  return createHash('sha256').update(text).digest('hex') as Digest;
}
