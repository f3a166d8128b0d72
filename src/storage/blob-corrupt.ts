import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';

/** The stored bytes are not the uploaded bytes. */
export class BlobCorrupt extends BlobLost {
  constructor(key: BlobKey, difference: string) {
    super(`blob ${key} differs from the stored upload: ${difference}`);
    this.name = 'BlobCorrupt';
  }
}
