import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';

/** What is stored under the key is not what was uploaded. */
export class BlobCorrupt extends BlobLost {
  constructor(key: BlobKey, difference: string) {
    super(`blob ${key} is not what was stored: ${difference}`);
    this.name = 'BlobCorrupt';
  }
}
