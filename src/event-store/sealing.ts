import { createCipheriv, createDecipheriv } from 'node:crypto';
import { takeRandomBytes } from './random-pool.ts';

/** The confidential part of an event as it is stored. `iv` and `ct` (with its tag) are base64. */
export interface Sealed {
  readonly k: string;
  readonly iv: string;
  readonly ct: string;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM of the text under a 32-byte key; `context` is authenticated with it, so that a sealed
 * text moved to another event or organisation does not open. The initialisation vector is random:
 * one key may seal 2^32 texts (NIST SP 800-38D §8.3), far beyond one organisation's events.
 */
export function seal(text: string, key: Buffer, context: string): { iv: Buffer; ct: Buffer } {
  const iv = takeRandomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const ct = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { iv, ct };
}

/** Opens what `seal` made; throws if key, context or a single bit differ. */
export function unseal(sealed: { iv: Buffer; ct: Buffer }, key: Buffer, context: string): string {
  const { iv, ct } = sealed;
  if (ct.length < tagBytes) throw new Error('the sealed text is shorter than its tag');
  const split = ct.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(ct.subarray(split));
  const text = Buffer.concat([decipher.update(ct.subarray(0, split)), decipher.final()]);
  return text.toString('utf8');
}
