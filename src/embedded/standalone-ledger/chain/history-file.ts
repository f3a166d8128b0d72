import { DatabaseSync, type StatementSync } from 'node:sqlite';

type Value = number | string | Buffer;
export type Row = Readonly<Record<string, unknown>>;

/**
 * One SQLite file with prepared statements. Every write goes through `atomically`; when it returns,
 * the write survives a crash of the process or the machine. Without a file name: a temporary file
 * that SQLite removes by itself.
 */
export class HistoryFile {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Throws if another process has the file open. */
  constructor(file: string | undefined) {
    this.#db = new DatabaseSync(file ?? '');
    try {
      this.#db.exec(
        file === undefined
          ? 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;'
          : 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;',
      );
    } catch (error) {
      this.#db.close();
      throw new Error(`${file} cannot be opened: check that no other process uses it`, {
        cause: error,
      });
    }
  }

  execute(sql: string): void {
    this.#db.exec(sql);
  }

  atomically(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  row(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  rows(sql: string, ...values: readonly Value[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  close(): void {
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The bytes of a BLOB column. */
export function bytesOf(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) throw new Error('a column that should hold bytes does not');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
