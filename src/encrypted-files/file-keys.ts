import { createHmac, hkdfSync } from 'node:crypto';
import type { Digest } from '../domain/proof/digest.ts';
import type { OrganisationId } from '../domain/ulid.ts';

/** The key of an organisation from which the keys of its files are derived. */
export interface DataKey {
  readonly dataKeyId: string;
  /** 32 bytes. */
  readonly dataKey: Buffer;
}

/** Plain file to which a header commits. */
export interface FileIdentity {
  readonly organisationId: OrganisationId;
  readonly sizeBytes: number;
  readonly sha256: Digest;
}

/** Encrypts the segments of one file. May be sent to a thread. */
export interface ContentKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 7 bytes: the beginning of each nonce. */
  readonly noncePrefix: Uint8Array;
}

/** The keys of one file. */
export interface FileKeys {
  readonly content: ContentKey;
  /** 32 bytes: key of the header's commitment. */
  readonly commitmentKey: Uint8Array;
}

export const noncePrefixBytes = 7;
const keyBytes = 32;

/**
 * Derives the keys of one file by HKDF-SHA-256 (RFC 5869) from the organisation's data key and the
 * file's salt. A key encrypts one file only, so no nonce is used twice.
 */
export function deriveFileKeys(
  { dataKey }: DataKey,
  organisationId: OrganisationId,
  salt: Uint8Array,
): FileKeys {
  const info = `proofmark stored file v1|${organisationId}`;
  const length = 2 * keyBytes + noncePrefixBytes;
  const derived = new Uint8Array(hkdfSync('sha256', dataKey, salt, info, length));
  return {
    content: { key: derived.slice(0, keyBytes), noncePrefix: derived.slice(2 * keyBytes) },
    commitmentKey: derived.slice(keyBytes, 2 * keyBytes),
  };
}

/**
 * HMAC-SHA-256 over the beginning of the header and the identity of the file. A file under the name
 * of another file, or of another organisation, is detected by it before any segment is read.
 */
export function commitmentOf(keys: FileKeys, begin: Uint8Array, identity: FileIdentity): Buffer {
  const { organisationId, sizeBytes, sha256 } = identity;
  return createHmac('sha256', keys.commitmentKey)
    .update(begin)
    .update(`|${organisationId}|${sizeBytes}|${sha256}`)
    .digest();
}
