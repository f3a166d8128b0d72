import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, equalBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/**
 * True if the Ed25519 key (32 bytes) signed the message (RFC 8032). Checks the equation without the
 * cofactor, as OpenSSL and the ledger's servers do: [S]B − [k]A must be encoded exactly as R is.
 * Refuses a key and an R of small order, as `verify` of Node.js does.
 */
export function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64) return false;
  const { Point } = ed25519;
  const encoded = signature.subarray(0, 32);
  try {
    const key = Point.fromBytes(publicKey);
    if (key.isSmallOrder()) return false;
    const hash = sha512(concatBytes(encoded, publicKey, message));
    const factor = Point.Fn.create(bytesToNumberLE(hash));
    const scalar = bytesToNumberLE(signature.subarray(32));
    const point = Point.BASE.multiplyUnsafe(scalar).subtract(key.multiplyUnsafe(factor));
    return !point.isSmallOrder() && equalBytes(point.toBytes(), encoded);
  } catch {
    return false; // a key that is no point of the curve, or a scalar that is not below the order
  }
}
