import { createPublicKey, type KeyObject, verify as verifyEd25519 } from 'node:crypto';
import { encodeForSigning } from 'ripple-binary-codec';
import { verify } from 'ripple-keypairs';
import { hashPrefix, lengthPrefix } from './hashes.ts';
import type { Transaction } from './parse-transaction.ts';

/**
 * True if the transaction's single signature is valid and canonical. OpenSSL verifies ed25519: it
 * is ten times faster than ripple-keypairs, and a test compares the verdicts. ripple-keypairs
 * verifies secp256k1, and refuses signatures that are not fully canonical.
 */
export function hasValidSignature(transaction: Transaction): boolean {
  const { signingKey, signature } = transaction;
  if (signingKey === '' || signature === '') return false;
  const message = signedBytes(transaction);
  if (/^ED[0-9A-F]{64}$/.test(signingKey)) return isValidEd25519(message, signature, signingKey);
  try {
    return verify(message.toString('hex'), signature, signingKey);
  } catch {
    return false; // a key or signature that is no point or no DER: invalid, as in rippled
  }
}

/** Verifies one ed25519 signature; key with its ED prefix, key and signature in hex. */
export function isValidEd25519(message: Uint8Array, signature: string, publicKey: string): boolean {
  const bytes = Buffer.from(signature, 'hex');
  if (bytes.length !== 64) return false;
  try {
    return verifyEd25519(null, message, keyOf(publicKey), bytes);
  } catch {
    return false; // not a point on the curve
  }
}

/** The signed bytes: "STX\0" and the canonical blob without TxnSignature. */
function signedBytes(transaction: Transaction): Buffer {
  const { blob, signature } = transaction;
  const content = Buffer.from(signature, 'hex');
  const field = Buffer.concat([Buffer.of(0x74), lengthPrefix(content.length), content]);
  const start = blob.indexOf(field);
  if (start < 0 || blob.indexOf(field, start + 1) >= 0) {
    return Buffer.from(encodeForSigning(transaction.json), 'hex');
  }
  return Buffer.concat([
    hashPrefix.signing,
    blob.subarray(0, start),
    blob.subarray(start + field.length),
  ]);
}

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const keys = new Map<string, KeyObject>();

function keyOf(publicKey: string): KeyObject {
  const known = keys.get(publicKey);
  if (known !== undefined) return known;
  if (keys.size >= 1000) keys.clear();
  const der = Buffer.concat([spkiPrefix, Buffer.from(publicKey.slice(2), 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  keys.set(publicKey, key);
  return key;
}
