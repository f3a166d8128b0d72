import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BlobStorage, StagedBlob } from '../storage/contract.ts';

interface Staged {
  readonly staged: StagedBlob;
}

/** Where the form's parser puts a file: staged by the blob storage, as it comes in. */
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
      // It would end only with its part. With an error, since without one a stream whose end has come
      // in already never tells those who pipe it that it was destroyed.
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
