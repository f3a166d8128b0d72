import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Digest } from '../domain/proof/digest.ts';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import { headerBytes } from '../encrypted-files/format.ts';
import type { BlobFacts, StagedBlob } from './contract.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

const bufferBytes = 64 * 1_024;
/** Written at once: each write costs a turn of another thread. */
const writeBytes = 256 * 1_024;

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
  /** Encrypted bytes of which no write has started. */
  #ready: Buffer[] = [];
  #readyBytes = 0;
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
        // Room for the header, which can be written only at the end.
        if (encryption !== null) this.#collect([Buffer.alloc(headerBytes)]);
        done();
      },
      (error: unknown) => done(error as Error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    onDisk(done, async () => {
      this.#collect(this.#encryption?.push(chunk) ?? [chunk]);
      this.#hash.update(chunk);
      this.#sizeBytes += chunk.length;
      if (this.#readyBytes >= writeBytes) await this.#write();
    });
  }

  override _final(done: Done): void {
    onDisk(done, async () => {
      // A SHA-256 in hex is a digest.
      this.#facts = { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') as Digest };
      this.#collect(this.#encryption?.end() ?? []);
      await this.#write();
      await this.#writing;
      if (this.#encryption !== null) {
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

  #collect(buffers: readonly Buffer[]): void {
    for (const buffer of buffers) {
      this.#ready.push(buffer);
      this.#readyBytes += buffer.length;
    }
  }

  /**
   * Starts a write when the last one has ended, and does not wait for it: the next bytes are
   * encrypted and hashed here while another thread writes. The next call reports its error.
   */
  async #write(): Promise<void> {
    await this.#writing;
    const writing = this.#handle === null ? null : writeAll(this.#handle, this.#ready);
    writing?.catch(() => {});
    this.#writing = writing;
    this.#ready = [];
    this.#readyBytes = 0;
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

/** Writes the buffers without a copy of them. */
async function writeAll(handle: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await handle.writev(buffers);
  const total = buffers.reduce((sum, { length }) => sum + length, 0);
  // A disk that becomes full takes a part; the next write reports it.
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(buffers).subarray(bytesWritten));
}

export function diskFailure(cause: unknown): Error {
  return wrapStorageError(cause, 'the disk where uploads are received fails');
}
