import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Digest } from './digest.ts';

/**
 * Salted commitment: HMAC-SHA-256 with the nonce bytes as key and the digest bytes as message.
 * Arguments and result are lower-case hex. The schemes v2 and v3 share this construction.
 */
export function commit(nonce: string, digest: Digest): string {
  return bytesToHex(hmac(sha256, hexToBytes(nonce), hexToBytes(digest)));
}
