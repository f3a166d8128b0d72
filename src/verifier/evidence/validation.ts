import { BadEvidence } from './bad-evidence.ts';
import { maxValidationBytes } from './limits.ts';
import { readFields, uint32, withoutFields } from './serialized-fields.ts';
import { hashPrefixes } from './sha512-half.ts';
import { keyTypeOf, verifySignature } from './verify-signature.ts';

/** A validator's signed statement that a ledger is valid. Its signature is not verified yet. */
export interface Validation {
  readonly ledgerIndex: number;
  readonly ledgerHash: Uint8Array;
  /** False for a partial validation: it follows the network and does not count. */
  readonly isFull: boolean;
  /** Seconds since 2000-01-01T00:00:00Z. */
  readonly signingTime: number;
  /** Key of secp256k1 that signed; which validator's key it is follows from a manifest. */
  readonly signingKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly signedBytes: readonly Uint8Array[];
  /** The validation as it was read. */
  readonly bytes: Uint8Array;
}

const fullValidation = 1;

/** Reads a serialized validation (rippled, STValidation). Throws `BadEvidence`. */
export function readValidation(bytes: Uint8Array): Validation {
  const fields = readFields(bytes, { maxBytes: maxValidationBytes, what: 'a validation' });
  const [flags, ledgerIndex, signingTime] = ['2.2', '2.6', '2.9'].map((name) => fields.get(name));
  const [ledgerHash, signingKey, signature] = ['5.1', '7.3', '7.6'].map((name) => fields.get(name));
  if (!flags || !ledgerIndex || !signingTime || !ledgerHash || !signingKey || !signature) {
    throw new BadEvidence('validation', 'a validation lacks a field');
  }
  if (keyTypeOf(signingKey.value) !== 'secp256k1') {
    throw new BadEvidence('validation', 'a validation has an unknown kind of key');
  }
  return {
    ledgerIndex: uint32(ledgerIndex.value),
    ledgerHash: ledgerHash.value,
    isFull: (uint32(flags.value) & fullValidation) !== 0,
    signingTime: uint32(signingTime.value),
    signingKey: signingKey.value,
    signature: signature.value,
    signedBytes: [hashPrefixes.validation, ...withoutFields(bytes, [signature])],
    bytes,
  };
}

/** True if the key in the validation signed it. */
export function isSignedValidation({ signingKey, signedBytes, signature }: Validation): boolean {
  return verifySignature(signingKey, signedBytes, signature);
}
