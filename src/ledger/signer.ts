import { sign as signBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { decodeAccountID } from 'ripple-address-codec';
import { deriveAddress, sign as signHex } from 'ripple-keypairs';
import { deriveKeyPair, ed25519Key } from './derive-key-pair.ts';

/** An account, and the public key that signs for it. */
export interface SigningAccount {
  readonly address: string;
  /** The account id encoded in the address: 20 bytes, upper-case hex. */
  readonly accountId: string;
  /**
   * Upper-case hex, as in SigningPubKey. Reading it throws `SignerUnavailable` while it is unknown,
   * since the process with the key has not answered yet.
   */
  readonly publicKey: string;
}

/** Signs for one anchoring account. The key may be in another process, or in a key service. */
export interface Signer extends SigningAccount {
  /**
   * Resolves with a signature for each of the messages, as upper-case hex. A message is what a
   * transaction's signature covers (xrpl.org, Serialization Format). Rejects with
   * `SignerUnavailable` if the key cannot be used now, or once `cancelled` is aborted: nobody waits
   * for the signatures any more.
   */
  sign(messages: readonly Buffer[], cancelled?: AbortSignal): Promise<readonly string[]>;
}

/** A signer whose key is in this process. */
export interface SeedSigner extends Signer {
  /** Signature over the message, upper-case hex. */
  signNow(message: Buffer): string;
}

/**
 * A signer from a seed. Without `address` the seed is the account's master key; with it, the seed
 * is the account's regular key. The key never leaves the closure, and printing shows only the
 * address.
 */
export function createSeedSigner(seed: string, address?: string): SeedSigner {
  const { publicKey, privateKey } = deriveKeyPair(seed);
  const signNow = publicKey.startsWith('ED') ? ed25519(privateKey) : secp256k1(privateKey);
  const signer: SeedSigner = {
    ...signingAccount(address ?? deriveAddress(publicKey), publicKey),
    signNow,
    sign: async (messages) => messages.map(signNow),
  };
  Object.defineProperty(signer, inspect.custom, { value: () => `Signer ${signer.address}` });
  return signer;
}

/** `publicKey` is upper-case hex. */
export function signingAccount(address: string, publicKey: string): SigningAccount {
  const accountId = Buffer.from(decodeAccountID(address)).toString('hex').toUpperCase();
  return { address, accountId, publicKey };
}

function ed25519(privateKey: string): SeedSigner['signNow'] {
  const key = ed25519Key(Buffer.from(privateKey.slice(2), 'hex'));
  return (bytes) => signBytes(null, bytes, key).toString('hex').toUpperCase();
}

function secp256k1(privateKey: string): SeedSigner['signNow'] {
  return (bytes) => signHex(bytes.toString('hex').toUpperCase(), privateKey);
}
