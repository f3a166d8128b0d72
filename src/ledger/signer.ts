import { createPrivateKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { decodeAccountID } from 'ripple-address-codec';
import { deriveAddress, deriveKeypair, sign as signHex } from 'ripple-keypairs';

/**
 * Signs for one anchoring account. `publicKey` is upper-case hex, as in SigningPubKey. A key
 * service that signs with ed25519 can implement this interface.
 */
export interface Signer {
  readonly address: string;
  /** The account id encoded in the address: 20 bytes, hex. */
  readonly accountId: string;
  readonly publicKey: string;
  /** Signature over the bytes, upper-case hex. */
  sign(bytes: Buffer): string;
}

/**
 * A signer from a seed. Without `address` the seed is the account's master key; with it, the seed
 * is the account's regular key. The key never leaves the closure, and printing shows only the
 * address.
 */
export function createSeedSigner(seed: string, address?: string): Signer {
  const { publicKey, privateKey } = deriveKeypair(seed);
  const own = address ?? deriveAddress(publicKey);
  const signer = {
    address: own,
    accountId: Buffer.from(decodeAccountID(own)).toString('hex').toUpperCase(),
    publicKey,
    sign: publicKey.startsWith('ED') ? ed25519(privateKey) : secp256k1(privateKey),
  };
  Object.defineProperty(signer, inspect.custom, { value: () => `Signer ${signer.address}` });
  return signer;
}

function ed25519(privateKey: string): Signer['sign'] {
  const key = ed25519Key(Buffer.from(privateKey.slice(2), 'hex'));
  return (bytes) => signBytes(null, bytes, key).toString('hex').toUpperCase();
}

function secp256k1(privateKey: string): Signer['sign'] {
  return (bytes) => signHex(bytes.toString('hex').toUpperCase(), privateKey);
}

/** PKCS #8 around a raw ed25519 private key (RFC 8410 §7). */
function ed25519Key(raw: Buffer): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, raw]), format: 'der', type: 'pkcs8' });
}
