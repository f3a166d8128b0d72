import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';

/** The keys of the blob's organisation are destroyed. */
export class BlobUndecipherable extends BlobLost {
  constructor(key: BlobKey) {
    super(`blob ${key} cannot be decrypted: the keys of its organisation are destroyed`);
    this.name = 'BlobUndecipherable';
  }
}
