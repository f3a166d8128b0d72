import type { BlobKey } from '../domain/blob/blob-key.ts';

/** What is stored under the key is not what was uploaded. */
export class BlobCorrupt extends Error {
  constructor(key: BlobKey, difference: string) {
    super(`blob ${key} is not what was stored: ${difference}`);
    this.name = 'BlobCorrupt';
  }
}
