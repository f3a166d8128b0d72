import { bytesToHex } from '@noble/hashes/utils.js';

/** @import { ReadKey } from '../verifier/log/note-key.ts' */

/**
 * A key as people publish and enter it: `NAME+ID+KEY` (C2SP signed-note).
 * @param {ReadKey} key
 */
export function vkeyOf({ name, keyId, type, publicKey }) {
  const typed = String.fromCharCode(type, ...publicKey);
  return `${name}+${bytesToHex(keyId)}+${btoa(typed)}`;
}
