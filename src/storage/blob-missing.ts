import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';

/** Nothing is stored under the key. If an event names the key, the blob is lost. */
export class BlobMissing extends BlobLost {
  constructor(key: BlobKey) {
    super(`blob ${key} is not in the storage`);
    this.name = 'BlobMissing';
  }
}
