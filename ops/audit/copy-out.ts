import pg from 'pg';

const firstBytes = 1_048_576;
/** `PGCOPY` with its end mark, flags and length of the extension, before the first row. */
const headerBytes = 19;
const trailerBytes = 2;

/** Rows of `COPY … TO STDOUT (FORMAT binary)`, one after the other. */
export interface CopiedOut {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Start of each row in `bytes`. */
  readonly starts: readonly number[];
}

/** Runs a statement `COPY … TO STDOUT (FORMAT binary)`, whose rows must fit into memory. */
export async function copyOut(pool: pg.Pool, text: string): Promise<CopiedOut> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await new Promise((resolve, reject) => {
      client.query(
        new CopyOutQuery(text, (error, copied) => (error ? reject(error) : resolve(copied))),
      );
    });
  } catch (error) {
    // The pool drops a connection that is released with an error.
    if (!(error instanceof pg.DatabaseError)) failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** The driver calls `handleCopyData` with each row. */
class CopyOutQuery extends pg.Query {
  #bytes = Buffer.alloc(firstBytes);
  #end = 0;
  readonly #starts: number[] = [];

  constructor(text: string, done: (error: Error | undefined, copied: CopiedOut) => void) {
    super(text, (error) => {
      // PostgreSQL may send the header and the trailer together with a row, or alone.
      done(error ?? undefined, { bytes: this.#bytes.subarray(0, this.#end), starts: this.#starts });
    });
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const isFirst = this.#end === 0;
    this.#reserve(chunk.length);
    chunk.copy(this.#bytes, this.#end);
    const start = this.#end + (isFirst ? headerBytes : 0);
    const hasRow = chunk.length - (isFirst ? headerBytes : 0) > trailerBytes;
    if (hasRow) this.#starts.push(start);
    this.#end += chunk.length;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
