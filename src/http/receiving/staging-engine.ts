import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BlobStorage, StagedBlob } from '../../storage/contract.ts';

interface Staged {
  readonly staged: StagedBlob;
}

/** Storage of the form parser. Stages the file in the blob storage during receipt. */
export class StagingEngine {
  readonly #storage: Pick<BlobStorage, 'stage'>;
  readonly #onTooLarge: () => void;

  constructor(storage: Pick<BlobStorage, 'stage'>, onTooLarge: () => void) {
    this.#storage = storage;
    this.#onTooLarge = onTooLarge;
  }

  _handleFile(
    _req: IncomingMessage,
    { stream }: { readonly stream: Readable },
    done: (error: unknown, stored?: Staged) => void,
  ): void {
    stream.once('limit', () => {
      this.#onTooLarge();
      // Without `destroy`, the stream ends only with its part. Without an error, a stream whose end
      // has already arrived never reports its destruction to its pipeline.
      stream.destroy(new Error('the file is too large'));
    });
    this.#storage.stage(stream).then(
      (staged) => done(null, { staged }),
      (trouble: unknown) => done(trouble),
    );
  }

  _removeFile(_req: IncomingMessage, { staged }: Staged, done: (error: unknown) => void): void {
    staged.discard().then(() => done(null), done);
  }
}
