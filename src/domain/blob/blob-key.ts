import { isUlid, type OrganisationId } from '../ulid.ts';

declare const blobKeyBrand: unique symbol;

/** Key of one stored blob: `<organisationId>/<ULID>`. Made for one upload, never used again. */
export type BlobKey = string & { readonly [blobKeyBrand]: true };

/** @param ulid new ULID of this moment, from which the blob's age is read */
export function blobKey(organisationId: OrganisationId, ulid: string): BlobKey {
  return checkBlobKey(`${organisationId}/${ulid}`);
}

/** Range of the keys of an organisation's blobs, in byte order. */
export function blobKeysOf(organisationId: OrganisationId): {
  readonly from: string;
  readonly before: string;
} {
  // '0' follows '/'.
  return { from: `${organisationId}/`, before: `${organisationId}0` };
}

export function isBlobKey(text: string): text is BlobKey {
  const [organisationId, ulid, ...more] = text.split('/');
  return isUlid(organisationId ?? '') && isUlid(ulid ?? '') && more.length === 0;
}

/** Throws for a text that is not a blob key, so that it never reaches a file system or a bucket. */
export function checkBlobKey(text: string): BlobKey {
  if (isBlobKey(text)) return text;
  throw new TypeError('a blob key must be <organisationId>/<ULID>');
}

export function organisationOfBlob(key: BlobKey): OrganisationId {
  // The first half of a key is an organisation's id by construction.
  return key.slice(0, key.indexOf('/')) as OrganisationId;
}
