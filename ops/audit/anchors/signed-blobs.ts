import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createSecp256k1Check } from '../../../src/ledger/secp256k1-check.ts';
import { BoundedMap } from '../bounded/bounded-map.ts';
import { type BlobParts, takeApart } from './blob-parts.ts';

/** SubjectPublicKeyInfo of a raw ed25519 key (RFC 8410 §4), without the key. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');
/** `STX` and a zero, before the fields that are signed (xrpl.org, Serialization Format). */
const signingPrefix = '53545800';
const mostKeys = 1_000;

/**
 * Verifies the signatures of transactions with OpenSSL: a twentieth of the time of ripple-keypairs.
 * True means that ripple-keypairs accepts the signature, too; false means that it must decide.
 */
export class SignedBlobs {
  /** Null: no key that may be used. */
  readonly #keys = new BoundedMap<string, KeyObject | null>(mostKeys);
  readonly #verify = createSecp256k1Check();

  /** True if the signing key of the transaction, in upper-case hex, has signed it. */
  isSigned(blob: string): boolean {
    const parts = takeApart(blob);
    if (parts === null) return false;
    const text = `${signingPrefix}${parts.before}${parts.after}`;
    const signed = Buffer.from(text, 'hex');
    const signature = Buffer.from(parts.signature, 'hex');
    // Other characters than hex digits end the bytes early.
    const isHex =
      2 * signed.length === text.length && 2 * signature.length === parts.signature.length;
    return isHex && this.#holds(parts, signed, signature);
  }

  #holds({ key }: BlobParts, signed: Buffer, signature: Buffer): boolean {
    try {
      if (!key.startsWith('ED')) {
        return this.#verify(Buffer.from(key, 'hex'), [signed], signature);
      }
      const known = this.#keyOf(key);
      return known !== null && verify(null, signed, known, signature);
    } catch {
      return false;
    }
  }

  #keyOf(key: string): KeyObject | null {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const raw = Buffer.from(key.slice(2), 'hex');
    const der = Buffer.concat([ed25519Prefix, raw]);
    const opened = isStrict(raw)
      ? createPublicKey({ key: der, format: 'der', type: 'spki' })
      : null;
    this.#keys.set(key, opened);
    return opened;
  }
}

/** OpenSSL also accepts keys of small order, and others than the canonical forms (RFC 8032). */
function isStrict(raw: Buffer): boolean {
  try {
    return !ed25519.Point.fromBytes(raw, false).isSmallOrder();
  } catch {
    return false;
  }
}
