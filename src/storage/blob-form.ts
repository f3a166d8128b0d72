import { type BlobKey, isBlobKey } from '../domain/blob/blob-key.ts';

/**
 * The stored form of a blob. Releases before 0.2.0 stored plain ones. The name tells the form, never
 * the bytes: a plain file may begin with any bytes.
 */
export type BlobForm = 'encrypted' | 'plain';

const suffixes = { encrypted: '.enc', plain: '' } as const;

/** Name of a blob in a folder or bucket. */
export function blobName(key: BlobKey, form: BlobForm): string {
  return `${key}${suffixes[form]}`;
}

/** Null for a name that no blob has. */
export function parseBlobName(name: string): { key: BlobKey; form: BlobForm } | null {
  const form = name.endsWith(suffixes.encrypted) ? 'encrypted' : 'plain';
  const key = name.slice(0, name.length - suffixes[form].length);
  return isBlobKey(key) ? { key, form } : null;
}
