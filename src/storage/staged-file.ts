import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Digest } from '../domain/proof/digest.ts';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import { headerBytes } from '../encrypted-files/format.ts';
import type { BlobFacts, StagedBlob } from './contract.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

const bufferBytes = 64 * 1_024;

/** A new empty file, and the encryption of its content; null for content that is no secret. */
export interface NewFile {
  readonly handle: FileHandle;
  readonly encryption: FileEncryption | null;
}

/**
 * Writes an upload to a new file, and encrypts and hashes it meanwhile. Errors of the disk are
 * `StorageUnavailable`. When finished, the file is closed and, if durable, on stable storage.
 */
export class StagedFile extends Writable {
  readonly #create: () => Promise<NewFile>;
  readonly #durable: boolean;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #handle: FileHandle | null = null;
  #encryption: FileEncryption | null = null;
  #header: Buffer | null = null;
  #facts: BlobFacts | null = null;
  #writing: Promise<void> | null = null;

  /** @param create its errors are thrown as they are */
  constructor(create: () => Promise<NewFile>, durable: boolean) {
    super({ highWaterMark: bufferBytes });
    this.#create = create;
    this.#durable = durable;
  }

  /** Of the bytes before their encryption. Call only when the file is finished. */
  facts(): BlobFacts {
    if (this.#facts === null) throw new TypeError('the staged file is not finished');
    return this.#facts;
  }

  /** Call only when the file is finished, and was encrypted. */
  decipherable(): Pick<StagedBlob, 'header' | 'contentKey'> {
    if (this.#header === null || this.#encryption === null) {
      throw new TypeError('the staged file is not encrypted, or not finished');
    }
    return { header: this.#header, contentKey: this.#encryption.contentKey };
  }

  override _construct(done: Done): void {
    this.#create().then(
      ({ handle, encryption }) => {
        this.#handle = handle;
        this.#encryption = encryption;
        onDisk(done, async () => {
          // The header can be written only at the end.
          if (encryption !== null) await handle.writeFile(Buffer.alloc(headerBytes));
        });
      },
      (error: unknown) => done(error as Error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    onDisk(done, async () => {
      const ready = this.#encryption?.push(chunk) ?? [chunk];
      this.#hash.update(chunk);
      this.#sizeBytes += chunk.length;
      await this.#write(ready);
    });
  }

  override _final(done: Done): void {
    onDisk(done, async () => {
      // A SHA-256 in hex is a digest.
      this.#facts = { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') as Digest };
      await this.#writing;
      if (this.#encryption !== null) {
        await this.#write(this.#encryption.end());
        await this.#writing;
        this.#header = this.#encryption.header(this.#facts);
        await this.#writeHeader(this.#header);
      }
      if (this.#durable) await this.#handle?.sync();
      await this.#close();
    });
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#close().then(
      () => done(error),
      (cause: unknown) => done(error ?? diskFailure(cause)),
    );
  }

  /**
   * Starts a write when the last one has ended, and does not wait for it: the next bytes are
   * encrypted and hashed here while another thread writes. The next call reports its error.
   */
  async #write(buffers: readonly Buffer[]): Promise<void> {
    if (buffers.length === 0) return;
    await this.#writing;
    const writing = this.#handle?.writeFile(Buffer.concat(buffers)) ?? null;
    writing?.catch(() => {});
    this.#writing = writing;
  }

  /** A short write is an error: without its whole header, the file could never be read. */
  async #writeHeader(header: Buffer): Promise<void> {
    const written = await this.#handle?.write(header, 0, headerBytes, 0);
    if (written?.bytesWritten !== headerBytes) throw new Error('the header was written in part');
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }
}

type Done = (error?: Error | null) => void;

function onDisk(done: Done, effect: () => Promise<void>): void {
  effect().then(
    () => done(),
    (cause: unknown) => done(diskFailure(cause)),
  );
}

export function diskFailure(cause: unknown): Error {
  return wrapStorageError(cause, 'the disk where uploads are received fails');
}
