import { createHmac } from 'node:crypto';
import type { Digest } from './digest.ts';

/** What is anchored for a digest; named and versioned as in the contract. */
export const hashSchemes = [
  'sha256-plain-v1',
  'hmac-sha256-nonce-v2',
  'hmac-sha256-nonce-v3',
] as const;
export type HashScheme = (typeof hashSchemes)[number];

export const defaultHashScheme: HashScheme = 'hmac-sha256-nonce-v3';

export function isSalted(scheme: HashScheme): boolean {
  return scheme !== 'sha256-plain-v1';
}

/**
 * The salted commitment: HMAC-SHA-256 with the nonce bytes as key and the digest bytes as message.
 * Both come and the result goes as lower-case hex; v2 and v3 share this construction.
 */
export function commit(nonce: string, digest: Digest): string {
  return createHmac('sha256', Buffer.from(nonce, 'hex'))
    .update(Buffer.from(digest, 'hex'))
    .digest('hex');
}
