import pg from 'pg';
import { CopiedRows } from './copied-rows.ts';

/** The part of the driver's connection that sends rows. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Runs a statement `COPY … FROM STDIN (FORMAT binary)` if its only value is `CopiedRows`. Returns
 * null for other values.
 */
export function copyRows(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> | null {
  const [rows] = values;
  if (!(rows instanceof CopiedRows)) return null;
  return new Promise((resolve, reject) => {
    client.query(
      new CopyQuery(text, rows, (error, result) => (error ? reject(error) : resolve(result))),
    );
  });
}

/**
 * The driver calls `handleCopyInResponse` once the server takes rows. Its own query refuses to send
 * any.
 */
class CopyQuery extends pg.Query {
  readonly #rows: CopiedRows;

  constructor(
    text: string,
    rows: CopiedRows,
    done: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(text, (error, result) => done(error, result as pg.QueryResult));
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#rows.chunks()) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
}
