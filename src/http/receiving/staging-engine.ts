import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { StagedBlob } from '../../storage/contract.ts';

/** A part that came as a file: the staged file, or the text of another field. */
export type Received = { readonly staged: StagedBlob } | { readonly text: string };

interface Part {
  readonly fieldname: string;
  readonly stream: Readable;
}

/** Stages a received file, as `BlobStorage.stage` does for one organisation. */
type Stage = (source: Readable) => Promise<StagedBlob>;

/** Storage of the form parser. Stages the file in the blob storage during receipt. */
export class StagingEngine {
  readonly #stageFile: Stage;
  /** Called without an error when the file is too large, and with one when it cannot be staged. */
  readonly #onFailed: (error?: unknown) => void;
  readonly #maxFieldBytes: number;

  constructor(stage: Stage, onFailed: (error?: unknown) => void, maxFieldBytes: number) {
    this.#stageFile = stage;
    this.#onFailed = onFailed;
    this.#maxFieldBytes = maxFieldBytes;
  }

  _handleFile(
    _req: IncomingMessage,
    { fieldname, stream }: Part,
    done: (error: unknown, received?: Received) => void,
  ): void {
    if (fieldname === 'file') this.#stage(stream, done);
    else this.#readText(fieldname, stream, done);
  }

  #stage(stream: Readable, done: (error: unknown, received?: Received) => void): void {
    stream.once('limit', () => {
      this.#onFailed();
      // Without `destroy`, the stream ends only with its part. Without an error, a stream whose end
      // has already arrived never reports its destruction to its pipeline.
      stream.destroy(new Error('the file is too large'));
    });
    this.#stageFile(stream).then(
      (staged) => done(null, { staged }),
      (trouble: unknown) => {
        // The parser would wait for the rest of the body.
        this.#onFailed(trouble);
        done(trouble);
      },
    );
  }

  /** Reads a field of at most `maxFieldBytes`; discards the rest of a longer one. */
  #readText(
    field: string,
    stream: Readable,
    done: (error: unknown, received?: Received) => void,
  ): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= this.#maxFieldBytes) chunks.push(chunk);
    });
    stream.once('error', done);
    stream.once('end', () => {
      if (bytes <= this.#maxFieldBytes)
        return done(null, { text: Buffer.concat(chunks).toString() });
      // As the parser reports a text field that is too long.
      done(Object.assign(new Error('the field is too long'), { code: 'LIMIT_FIELD_VALUE', field }));
    });
  }

  _removeFile(_req: IncomingMessage, received: Received, done: (error: unknown) => void): void {
    const discarded = 'staged' in received ? received.staged.discard() : Promise.resolve();
    discarded.then(() => done(null), done);
  }
}
