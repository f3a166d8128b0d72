import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { verifyEd25519 } from './verify-ed25519.ts';

export type KeyType = 'ed25519' | 'secp256k1';

/** Type of a public key by its 33 bytes; null for any other bytes. */
export function keyTypeOf(publicKey: Uint8Array): KeyType | null {
  if (publicKey.length !== publicKeyBytes) return null;
  const [first] = publicKey;
  if (first === 0xed) return 'ed25519';
  return first === 2 || first === 3 ? 'secp256k1' : null;
}

export const publicKeyBytes = 33;

/**
 * True if the key signed the message. Ed25519 keys sign the message itself (RFC 8032). Keys of
 * secp256k1 sign the first 32 bytes of its SHA-512; the signature is DER, in the canonical form
 * with a low S, so that nobody can make a second one from it.
 */
export function verifySignature(
  publicKey: Uint8Array,
  message: readonly Uint8Array[],
  signature: Uint8Array,
): boolean {
  const type = keyTypeOf(publicKey);
  if (type === null || signature.length > maxSignatureBytes) return false;
  const bytes = concatBytes(...message);
  if (type === 'ed25519') return verifyEd25519(publicKey.subarray(1), bytes, signature);
  try {
    return secp256k1.verify(signature, sha512(bytes).subarray(0, 32), publicKey, {
      prehash: false,
      lowS: true,
      format: 'der',
    });
  } catch {
    return false; // a malformed signature, or a key that is no point of the curve
  }
}

const maxSignatureBytes = 72;
