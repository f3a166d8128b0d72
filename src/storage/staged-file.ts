import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Digest } from '../domain/proof/digest.ts';
import type { BlobFacts } from './contract.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

const bufferBytes = 64 * 1_024;

/**
 * Writes an upload to a new file and hashes it meanwhile. Errors of the disk are
 * `StorageUnavailable`. When finished, the file is closed and, if durable, on stable storage.
 */
export class StagedFile extends Writable {
  readonly #create: () => Promise<FileHandle>;
  readonly #durable: boolean;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #handle: FileHandle | null = null;

  constructor(create: () => Promise<FileHandle>, durable: boolean) {
    super({ highWaterMark: bufferBytes });
    this.#create = create;
    this.#durable = durable;
  }

  /** Call only when the file is finished. */
  facts(): BlobFacts {
    // A SHA-256 in hex is a digest.
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') as Digest };
  }

  override _construct(done: Done): void {
    onDisk(done, async () => {
      this.#handle = await this.#create();
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    onDisk(done, async () => {
      // Hash here while another thread writes.
      const written = this.#handle?.writeFile(chunk);
      this.#hash.update(chunk);
      this.#sizeBytes += chunk.length;
      await written;
    });
  }

  override _final(done: Done): void {
    onDisk(done, async () => {
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

function diskFailure(cause: unknown): Error {
  return StorageUnavailable.wrap(cause, 'the disk where uploads are received fails');
}
