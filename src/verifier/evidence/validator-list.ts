import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from './bad-evidence.ts';
import { decodeBase64 } from './base64.ts';
import { maxListBytes, maxManifestBytes } from './limits.ts';
import { readListBlob, type ValidatorList } from './list-blob.ts';
import { isSignedManifest, type Manifest, readManifest } from './manifest.ts';
import { verifySignature } from './verify-signature.ts';

/**
 * A list as its publisher serves it. Version 1 has one blob, version 2 several in `blobs_v2`.
 * Untrusted.
 */
export interface PublishedList {
  readonly public_key?: unknown;
  readonly manifest?: unknown;
  readonly blob?: unknown;
  readonly signature?: unknown;
  readonly blobs_v2?: unknown;
  readonly version?: unknown;
}

/** A blob of a published list, with the publisher's manifest that covers it. */
export interface SignedBlob {
  /** Base64. */
  readonly manifest: string;
  /** Base64. */
  readonly blob: string;
  /** Hex. */
  readonly signature: string;
}

/** A list whose signatures hold. */
export interface VerifiedList extends ValidatorList {
  /** Master key of the publisher, from the manifest that it signed; upper-case hex. */
  readonly publisherKey: string;
}

const maxBlobs = 8;

/** The blobs of a published list of version 1 or 2. Throws `BadEvidence` for anything else. */
export function blobsOf(list: PublishedList): readonly SignedBlob[] {
  const { public_key: key, manifest, version } = list;
  if (typeof key !== 'string' || typeof manifest !== 'string') throw malformed('lacks a key');
  if (version === 1) return [blobOf({ ...list, manifest })];
  const { blobs_v2: blobs } = list;
  if (version !== 2 || !Array.isArray(blobs)) throw malformed('has an unknown version');
  if (blobs.length > maxBlobs) throw malformed(`has more than ${maxBlobs} blobs`);
  return blobs.map((each: unknown) => {
    if (typeof each !== 'object' || each === null) throw malformed('has a malformed blob');
    return blobOf({ manifest, ...each });
  });
}

function blobOf({ manifest, blob, signature }: PublishedList): SignedBlob {
  if (typeof manifest === 'string' && typeof blob === 'string' && typeof signature === 'string') {
    return { manifest, blob, signature };
  }
  throw malformed('lacks a blob or its signature');
}

/**
 * Verifies both signatures of the publisher's manifest, and the signature of the blob. Compare
 * `publisherKey` of the result with a trusted key, and its times with the ledger's close time.
 * Throws `BadEvidence`.
 */
export function verifyBlob({ manifest, blob, signature }: SignedBlob): VerifiedList {
  const publisher = readPublisher(manifest);
  const { masterKey, signing } = publisher;
  const bytes = decodeBase64(blob, maxListBytes, "the validator list's blob");
  if (signing === null) throw new BadEvidence('publisher', "the publisher's key is revoked");
  if (!/^(?:[A-Fa-f0-9]{2}){1,72}$/.test(signature)) throw malformed('has a malformed signature');
  if (!isSignedManifest(publisher)) {
    throw new BadEvidence('publisher', "the signatures of the publisher's manifest do not hold");
  }
  if (!verifySignature(signing.key, [bytes], hexToBytes(signature))) {
    throw new BadEvidence('list', 'the publisher did not sign this validator list');
  }
  return { publisherKey: bytesToHex(masterKey).toUpperCase(), ...readListBlob(bytes) };
}

/** The publisher of a list by the key in its manifest, upper-case hex. Not verified. */
export function statedPublisher({ manifest }: SignedBlob): string {
  return bytesToHex(readPublisher(manifest).masterKey).toUpperCase();
}

function readPublisher(manifest: string): Manifest {
  return readManifest(decodeBase64(manifest, maxManifestBytes, "the publisher's manifest"));
}

function malformed(why: string): BadEvidence {
  return new BadEvidence('list', `the validator list ${why}`);
}
