import { createCipheriv, createDecipheriv } from 'node:crypto';
import { takeRandomBytes } from './random-pool.ts';

/**
 * Encrypted confidential fields of an event as stored. `k` is the id of the data key. `iv` and `ct`
 * (with its tag) are base64.
 */
export interface EncryptedFields {
  readonly k: string;
  readonly iv: string;
  readonly ct: string;
}

/** Encrypted personal members of an event's meta. */
export interface EncryptedPersonal extends EncryptedFields {
  /** Present if the keys of the service encrypted them, and not those of the organisation. */
  readonly of?: 'service';
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts the text with AES-256-GCM under a 32-byte key. `context` is authenticated too, so that a
 * ciphertext moved to another event or organisation cannot be decrypted. The initialisation vector
 * is random: one key may encrypt 2^32 texts (NIST SP 800-38D §8.3), far more than one
 * organisation's events.
 */
export function encrypt(text: string, key: Buffer, context: string): { iv: Buffer; ct: Buffer } {
  const iv = takeRandomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const ct = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { iv, ct };
}

/** Decrypts a result of `encrypt`. Throws if the key, the context or a single bit differs. */
export function decrypt(
  encrypted: { iv: Buffer; ct: Buffer },
  key: Buffer,
  context: string,
): string {
  const { iv, ct } = encrypted;
  if (ct.length < tagBytes) throw new Error('the encrypted text is shorter than its tag');
  const split = ct.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(ct.subarray(split));
  return decipher.update(ct.subarray(0, split), undefined, 'utf8') + decipher.final('utf8');
}
