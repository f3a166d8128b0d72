import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/**
 * The value that the ledger shows for a file: HMAC-SHA-256 with the nonce as key and the hash as
 * message. Without a nonce, under the plain scheme, it is the hash itself. All are hexadecimal.
 */
export function commitmentOf(hash: string, proofNonce: string | null): string {
  if (proofNonce === null) return hash;
  return bytesToHex(hmac(sha256, hexToBytes(proofNonce), hexToBytes(hash)));
}
