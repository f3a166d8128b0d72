import { createCipheriv, createDecipheriv } from 'node:crypto';
import { FileDamaged } from './file-damaged.ts';
import { type ContentKey, noncePrefixBytes } from './file-keys.ts';
import { tagBytes } from './format.ts';

const algorithm = 'aes-256-gcm';
const options = { authTagLength: tagBytes } as const;

/** Place of a segment in its file. */
interface Place {
  /** Counts from 0. */
  readonly index: number;
  readonly isLast: boolean;
}

/** Encrypts a segment; the tag is the last of the returned buffers. */
export function encryptSegment(
  { key, noncePrefix }: ContentKey,
  place: Place,
  plain: Uint8Array,
): [Buffer, Buffer] {
  const cipher = createCipheriv(algorithm, key, nonceOf(noncePrefix, place), options);
  const encrypted = cipher.update(plain);
  cipher.final();
  return [encrypted, cipher.getAuthTag()];
}

/** Decrypts a segment with its tag. Throws `FileDamaged` if any bit or its place differs. */
export function decryptSegment(
  { key, noncePrefix }: ContentKey,
  place: Place,
  stored: Uint8Array,
): Buffer {
  const split = stored.length - tagBytes;
  if (split < 0) throw new FileDamaged('its last segment is cut');
  const decipher = createDecipheriv(algorithm, key, nonceOf(noncePrefix, place), options);
  decipher.setAuthTag(stored.subarray(split));
  const plain = decipher.update(stored.subarray(0, split));
  try {
    decipher.final();
  } catch {
    throw new FileDamaged(`its segment ${place.index} is not the one that was written`);
  }
  return plain;
}

/** Prefix, index in 4 bytes, and 1 for the last segment: 12 bytes. */
function nonceOf(prefix: Uint8Array, { index, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(noncePrefixBytes + 5);
  nonce.set(prefix);
  // Throws for a file of more than 2^32 segments.
  nonce.writeUInt32BE(index, noncePrefixBytes);
  nonce.writeUInt8(isLast ? 1 : 0, noncePrefixBytes + 4);
  return nonce;
}
