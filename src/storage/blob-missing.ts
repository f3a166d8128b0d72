import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';

/** Nothing is stored under the key. Of a key that an event names, that is a loss. */
export class BlobMissing extends BlobLost {
  constructor(key: BlobKey) {
    super(`blob ${key} is not in the storage`);
    this.name = 'BlobMissing';
  }
}
