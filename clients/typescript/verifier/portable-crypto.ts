import { verifyEd25519 } from '../../../src/verifier/evidence/verify-ed25519.ts';

/**
 * The functions of `node:crypto` that checks of logs use, for every environment: public keys of
 * Ed25519, and their signatures. The build puts this module in place of `node:crypto`.
 */
interface PublicKey {
  readonly bytes: Uint8Array;
}

const keyBytes = 32;

/** The key at the end of a DER (RFC 8410). */
export function createPublicKey({ key }: { readonly key: Uint8Array }): PublicKey {
  return { bytes: key.subarray(-keyBytes) };
}

export function verify(
  _algorithm: null,
  text: Uint8Array,
  { bytes }: PublicKey,
  signature: Uint8Array,
): boolean {
  return verifyEd25519(bytes, text, signature);
}

/** Verifiers have no private keys. */
export function createPrivateKey(): never {
  throw new Error('the verifier does not sign');
}

export const sign = createPrivateKey;
