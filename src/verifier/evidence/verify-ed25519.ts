import { ed25519 } from '@noble/curves/ed25519.js';

/** True if the Ed25519 key (32 bytes) signed the message (RFC 8032), and not by a weaker rule. */
export function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false; // a malformed signature, or a key that is no point of the curve
  }
}
