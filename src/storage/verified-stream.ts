import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import { FileDamaged } from '../encrypted-files/file-damaged.ts';
import type { FileDecryption } from '../encrypted-files/file-decryption.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import type { BlobFacts } from './contract.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

/**
 * Passes on the source, decrypted unless `decryption` is null, one chunk behind: the last chunk only
 * after size and hash of all bytes are verified. Fails as described at `BlobStorage.open`. Destroying
 * the stream destroys the source.
 *
 * @param permit called before each chunk; the stream fails if it rejects. Null permits at once.
 */
export function verifiedStream(
  key: BlobKey,
  source: Readable,
  expected: BlobFacts,
  decryption: FileDecryption | null,
  permit: () => Promise<void> | null = () => null,
): Readable {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let held: Buffer | null = null;
  const stream: Transform = new Transform({
    transform(stored: Buffer, _encoding, done) {
      const pass = () =>
        verifying(done, () => {
          for (const chunk of decryption?.push(stored) ?? [stored]) {
            sizeBytes += chunk.length;
            if (sizeBytes > expected.sizeBytes) throw tooLong();
            hash.update(chunk);
            if (held !== null) stream.push(held);
            held = chunk;
          }
        });
      const permitted = permit();
      if (permitted === null) pass();
      else permitted.then(pass, done);
    },
    flush(done) {
      verifying(done, () => {
        decryption?.end();
        if (sizeBytes !== expected.sizeBytes) throw tooShort();
        if (hash.digest('hex') !== expected.sha256) throw otherHash();
        if (held !== null) stream.push(held);
      });
    },
    destroy(error, done) {
      done(error && wrapStorageError(error, `reading blob ${key} broke off`));
    },
  });
  const verifying = (done: (error?: Error) => void, effect: () => void) => {
    try {
      effect();
    } catch (error) {
      const isDamaged = error instanceof FileDamaged;
      return done(isDamaged ? new BlobCorrupt(key, error.message) : (error as Error));
    }
    done();
  };
  const tooLong = () => new BlobCorrupt(key, `it has more than ${expected.sizeBytes} bytes`);
  const tooShort = () =>
    new BlobCorrupt(key, `it has ${sizeBytes} bytes, not ${expected.sizeBytes}`);
  const otherHash = () => new BlobCorrupt(key, 'its SHA-256 is another');
  pipeline(source, stream, () => {
    // Errors reach the reader of the stream.
  });
  return stream;
}
