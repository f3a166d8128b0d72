import { type FileHandle, open } from 'node:fs/promises';
import { FileDamaged } from './file-damaged.ts';
import type { ContentKey } from './file-keys.ts';
import { headerBytes, segmentBytes, segmentCount, tagBytes } from './format.ts';
import { decryptSegment } from './segments.ts';

/** An encrypted file on the local disk, and what is needed to read it. */
export interface EncryptedFile {
  readonly path: string;
  /** Size of the plain file. */
  readonly sizeBytes: number;
  readonly contentKey: ContentKey;
}

/** 2.5 MiB: more than a parser reads at once, so that it may read the same bytes again. */
const maxCached = 40;

/** Reads any part of an encrypted file; keeps some plain segments in memory. */
export class SegmentReader {
  readonly #file: EncryptedFile;
  readonly #handle: FileHandle;
  readonly #cached = new Map<number, Promise<Buffer>>();

  private constructor(file: EncryptedFile, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async open(file: EncryptedFile): Promise<SegmentReader> {
    return new SegmentReader(file, await open(file.path, 'r'));
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  /** The plain bytes from `start` to before `end`; fewer at the end of the file. */
  async read(start: number, end: number): Promise<Buffer<ArrayBuffer>> {
    const first = Math.max(start, 0);
    const last = Math.min(end, this.sizeBytes);
    const plain = Buffer.from(new ArrayBuffer(Math.max(last - first, 0)));
    for (let at = first; at < last; ) {
      const index = Math.floor(at / segmentBytes);
      const offset = at - index * segmentBytes;
      const part = (await this.#segment(index)).subarray(offset, offset + last - at);
      plain.set(part, at - first);
      at += part.length;
    }
    return plain;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #segment(index: number): Promise<Buffer> {
    const known = this.#cached.get(index);
    if (known !== undefined) return known;
    const segment = this.#decrypt(index);
    this.#cached.set(index, segment);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxCached && oldest !== undefined) this.#cached.delete(oldest);
    return segment;
  }

  async #decrypt(index: number): Promise<Buffer> {
    const { contentKey, sizeBytes } = this.#file;
    const isLast = index + 1 === segmentCount(sizeBytes);
    const plainBytes = isLast ? sizeBytes - index * segmentBytes : segmentBytes;
    const length = plainBytes + tagBytes;
    const position = headerBytes + index * (segmentBytes + tagBytes);
    const { buffer, bytesRead } = await this.#handle.read({
      buffer: Buffer.alloc(length),
      position,
    });
    if (bytesRead < length) throw new FileDamaged('it is cut');
    return decryptSegment(contentKey, { index, isLast }, buffer);
  }
}
