import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './hexadecimal.js';

/**
 * What a salted scheme anchors: HMAC-SHA-256 of the digest's bytes under those of the nonce, all in
 * hexadecimal.
 *
 * @param {string} nonce
 * @param {string} fileHash
 */
export function commitmentOf(nonce, fileHash) {
  return toHex(hmac(sha256, fromHex(nonce), fromHex(fileHash)));
}
