import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { decodeSeed } from 'ripple-address-codec';
import { deriveKeypair } from 'ripple-keypairs';

/** Keys as upper-case hex in the forms of the ledger: 33 bytes each. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The key pair of a seed. Throws if the text is no seed. For ed25519, the first derivation of
 * ripple-keypairs takes 60 ms, as it signs and verifies in JavaScript; OpenSSL takes 1 ms.
 */
export function deriveKeyPair(seed: string): KeyPair {
  const { type, bytes } = decodeSeed(seed);
  if (type !== 'ed25519') return deriveKeypair(seed);
  // The first half of SHA-512 (xrpl.org, Cryptographic Keys, Ed25519 Key Derivation).
  const raw = hash('sha512', Buffer.from(bytes), 'buffer').subarray(0, 32);
  const { x = '' } = createPublicKey(ed25519Key(raw)).export({ format: 'jwk' });
  return {
    publicKey: withPrefix(Buffer.from(x, 'base64url')),
    privateKey: withPrefix(raw),
  };
}

function withPrefix(key: Buffer): string {
  return `ED${key.toString('hex').toUpperCase()}`;
}

/** PKCS #8 around a raw ed25519 private key (RFC 8410 §7). */
export function ed25519Key(raw: Buffer): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, raw]), format: 'der', type: 'pkcs8' });
}
