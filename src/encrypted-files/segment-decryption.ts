import { FileDamaged } from './file-damaged.ts';
import type { ContentKey } from './file-keys.ts';
import { segmentBytes, segmentCount, tagBytes } from './format.ts';
import { decryptSegment } from './segments.ts';

const storedBytes = segmentBytes + tagBytes;

/** Decrypts the segments of one file as their bytes arrive, in constant memory. */
export class SegmentDecryption {
  readonly #key: ContentKey;
  readonly #sizeBytes: number;
  readonly #segments: number;
  /** Bytes of the next segment that have arrived. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #index = 0;

  /** @param sizeBytes size of the plain file */
  constructor(key: ContentKey, sizeBytes: number) {
    this.#key = key;
    this.#sizeBytes = sizeBytes;
    this.#segments = segmentCount(sizeBytes);
  }

  /** Returns the plain bytes of the segments that are complete. Throws `FileDamaged`. */
  push(chunk: Uint8Array): Buffer[] {
    const plain: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.#index === this.#segments) throw new FileDamaged('it is longer than it was');
      const wanted = this.#nextBytes();
      const taken = chunk.subarray(at, at + wanted - this.#heldBytes);
      this.#held.push(taken);
      this.#heldBytes += taken.length;
      at += taken.length;
      if (this.#heldBytes === wanted) plain.push(this.#decryptHeld());
    }
    return plain;
  }

  /** Throws `FileDamaged` if segments are missing. */
  end(): void {
    if (this.#index < this.#segments) throw new FileDamaged('it is cut');
  }

  #nextBytes(): number {
    if (this.#index + 1 < this.#segments) return storedBytes;
    return this.#sizeBytes - this.#index * segmentBytes + tagBytes;
  }

  #decryptHeld(): Buffer {
    const [only, ...more] = this.#held;
    const stored = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#held);
    const place = { index: this.#index, isLast: this.#index + 1 === this.#segments };
    this.#held = [];
    this.#heldBytes = 0;
    this.#index += 1;
    return decryptSegment(this.#key, place, stored);
  }
}
