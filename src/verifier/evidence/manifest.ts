import { BadEvidence } from './bad-evidence.ts';
import { maxManifestBytes } from './limits.ts';
import { readFields, uint32, withoutFields } from './serialized-fields.ts';
import { hashPrefixes } from './sha512-half.ts';
import { keyTypeOf, verifySignature } from './verify-signature.ts';

/**
 * A validator's or publisher's statement of its signing key, signed by both keys. Its signatures
 * are not verified yet.
 */
export interface Manifest {
  readonly masterKey: Uint8Array;
  /** Higher sequences replace lower ones. */
  readonly sequence: number;
  /** Null in a revocation: none of the keys is valid any more. */
  readonly signing: { readonly key: Uint8Array; readonly signature: Uint8Array } | null;
  readonly masterSignature: Uint8Array;
  readonly signedBytes: readonly Uint8Array[];
  /** The manifest as it was read. */
  readonly bytes: Uint8Array;
}

/** Sequence of a revocation (rippled, Manifest.h). */
export const revokedSequence = 0xffff_ffff;

/** Reads a serialized manifest. Throws `BadEvidence`. */
export function readManifest(bytes: Uint8Array): Manifest {
  const fields = readFields(bytes, { maxBytes: maxManifestBytes, what: 'a manifest' });
  const unknown = [...fields.keys()].find((name) => !knownFields.includes(name));
  if (unknown !== undefined) throw malformed(`has the unknown field ${unknown}`);
  const [version, sequence, masterKey] = ['1.16', '2.4', '7.1'].map((name) => fields.get(name));
  const [key, signature, domain] = ['7.3', '7.6', '7.7'].map((name) => fields.get(name));
  const masterSignature = fields.get('7.18');
  if (!sequence || !masterKey || !masterSignature) throw malformed('lacks a field');
  if (version?.value.some((byte) => byte !== 0)) throw malformed('has an unknown version');
  if (domain && (domain.value.length < 4 || domain.value.length > 128)) {
    throw malformed('has a domain of an impossible length');
  }
  const number = uint32(sequence.value);
  const isRevocation = number === revokedSequence;
  if (isRevocation === (key !== undefined) || isRevocation === (signature !== undefined)) {
    throw malformed(isRevocation ? 'revokes a key and names one' : 'lacks a signing key');
  }
  if (!keyTypeOf(masterKey.value)) throw malformed('has an unknown kind of master key');
  if (key && (!keyTypeOf(key.value) || isSame(key.value, masterKey.value))) {
    throw malformed('has an impossible signing key');
  }
  return {
    masterKey: masterKey.value,
    sequence: number,
    signing: key && signature ? { key: key.value, signature: signature.value } : null,
    masterSignature: masterSignature.value,
    signedBytes: [hashPrefixes.manifest, ...withoutFields(bytes, [signature, masterSignature])],
    bytes,
  };
}

/**
 * True if the master key signed the manifest, and the signing key as well unless it is revoked. The
 * master key comes first: others can make signatures of the signing key that they name.
 */
export function isSignedManifest(manifest: Manifest): boolean {
  const { masterKey, masterSignature, signing, signedBytes } = manifest;
  return (
    verifySignature(masterKey, signedBytes, masterSignature) &&
    (signing === null || verifySignature(signing.key, signedBytes, signing.signature))
  );
}

/** Version, Sequence, PublicKey, SigningPubKey, Signature, Domain, MasterSignature. */
const knownFields = ['1.16', '2.4', '7.1', '7.3', '7.6', '7.7', '7.18'];

function malformed(why: string): BadEvidence {
  return new BadEvidence('manifest', `a manifest ${why}`);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
