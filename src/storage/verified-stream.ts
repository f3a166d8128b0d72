import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import type { BlobFacts } from './contract.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

/**
 * Passes on the source one chunk behind: the last chunk only after size and hash of all bytes are
 * verified. Fails as described at `BlobStorage.open`. Destroying the stream destroys the source.
 */
export function verifiedStream(key: BlobKey, source: Readable, expected: BlobFacts): Readable {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let held: Buffer | null = null;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > expected.sizeBytes) return done(tooLong());
      hash.update(chunk);
      const ready = held;
      held = chunk;
      return done(null, ready);
    },
    flush(done) {
      if (sizeBytes !== expected.sizeBytes) return done(tooShort());
      if (hash.digest('hex') !== expected.sha256) return done(otherHash());
      return done(null, held);
    },
    destroy(error, done) {
      done(error && StorageUnavailable.wrap(error, `reading blob ${key} broke off`));
    },
  });
  const tooLong = () => new BlobCorrupt(key, `it has more than ${expected.sizeBytes} bytes`);
  const tooShort = () =>
    new BlobCorrupt(key, `it has ${sizeBytes} bytes, not ${expected.sizeBytes}`);
  const otherHash = () => new BlobCorrupt(key, 'its SHA-256 is another');
  pipeline(source, stream, () => {
    // Errors reach the reader of the stream.
  });
  return stream;
}
