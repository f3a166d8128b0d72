import { isUlid, type OrganisationId } from '../ulid.ts';

declare const blobKeyBrand: unique symbol;

/** Names one stored blob: `<organisationId>/<ULID>`. Made for one upload, never used again. */
export type BlobKey = string & { readonly [blobKeyBrand]: true };

/** @param ulid a new one, of this moment: the blob's age is read from it */
export function blobKey(organisationId: OrganisationId, ulid: string): BlobKey {
  return checkBlobKey(`${organisationId}/${ulid}`);
}

/** The keys of an organisation's blobs, as a range of texts in the order of their bytes. */
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

/** Throws on anything that is no key: such a text never reaches a file system or a bucket. */
export function checkBlobKey(text: string): BlobKey {
  if (isBlobKey(text)) return text;
  throw new TypeError('a blob key must be <organisationId>/<ULID>');
}

export function organisationOfBlob(key: BlobKey): OrganisationId {
  // The first half of a key is an organisation's id by construction.
  return key.slice(0, key.indexOf('/')) as OrganisationId;
}
