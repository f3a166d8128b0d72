import type { Socket } from 'node:net';
import pg from 'pg';

const firstBytes = 2_097_152;
/** `PGCOPY` with its end mark, flags and length of the extension, before the first row. */
const headerBytes = 19;
const trailerBytes = 2;
/** A message begins with its type and its length, which includes the length itself. */
const messageBytes = 5;
const copyData = 0x64;
const readyForQuery = 0x5a;

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
        copyOutQuery(text, (error, copied) => (error ? reject(error) : resolve(copied))),
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

/** The connection of a client, which its type does not show. */
interface Connection extends pg.Connection {
  readonly stream: Socket;
}

/**
 * A query that takes the messages with rows off the connection, and hands all others to the driver.
 * The driver would make objects of each row: that takes longer than all else that reads it.
 */
function copyOutQuery(
  text: string,
  done: (error: Error | undefined, copied: CopiedOut) => void,
): pg.Query {
  const rows = new CopiedMessages();
  const query = new pg.Query(text, (error) => done(error ?? undefined, rows.copied()));
  const { submit } = query;
  query.submit = (connection) => {
    const { stream } = connection as Connection;
    const driver = stream.listeners('data') as ((bytes: Buffer) => void)[];
    // The connection is idle here: no part of an earlier message is left.
    for (const listener of driver) stream.off('data', listener);
    stream.on('data', function receive(bytes: Buffer) {
      rows.add(bytes, {
        message: (message) => {
          for (const listener of driver) listener.call(stream, message);
        },
        end: () => {
          stream.off('data', receive);
          for (const listener of driver) stream.on('data', listener);
        },
      });
    });
    submit.call(query, connection);
  };
  return query;
}

/** Messages of the server, of which those with rows stay where they were received. */
class CopiedMessages {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #end = 0;
  /** Start of the first message that is not yet received whole. */
  #next = 0;
  #hasHeader = false;
  readonly #starts: number[] = [];

  copied(): CopiedOut {
    return { bytes: this.#bytes.subarray(0, this.#end), starts: this.#starts };
  }

  /**
   * Adds bytes in the order of their arrival.
   * - `message`: receives each message that is no row, whole
   * - `end`: called before the last message of the statement
   */
  add(
    received: Buffer,
    {
      message,
      end: onEnd,
    }: { readonly message: (bytes: Buffer) => void; readonly end: () => void },
  ): void {
    this.#reserve(received.length);
    received.copy(this.#bytes, this.#end);
    this.#end += received.length;
    while (this.#next + messageBytes <= this.#end) {
      const start = this.#next;
      const end = start + 1 + this.#bytes.readInt32BE(start + 1);
      if (end > this.#end) break;
      this.#next = end;
      const type = this.#bytes[start];
      if (type === copyData) {
        this.#addRow(start + messageBytes, end);
        continue;
      }
      if (type === readyForQuery) onEnd();
      message(Buffer.from(this.#bytes.subarray(start, end)));
    }
  }

  /** PostgreSQL may send the header and the trailer together with a row, or alone. */
  #addRow(from: number, end: number): void {
    const start = from + (this.#hasHeader ? 0 : headerBytes);
    this.#hasHeader = true;
    if (end - start > trailerBytes) this.#starts.push(start);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
