import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyTable } from './key-table.ts';

/** A `KeyTable` that is moved into a table of SQLite when it is full. */
export class StoredKeys {
  readonly #db: DatabaseSync;
  readonly #name: string;
  #table: KeyTable | null;
  #get: StatementSync | null = null;
  #set: StatementSync | null = null;
  readonly #width: number;

  constructor(db: DatabaseSync, name: string, table: KeyTable) {
    this.#db = db;
    this.#name = name;
    this.#table = table;
    this.#width = table.width;
  }

  /** Value of the key at `at` in `from`; null if it has none. */
  get(from: Uint32Array, at: number): number | null {
    if (this.#table !== null) {
      const value = this.#table.get(from, at);
      return Number.isNaN(value) ? null : value;
    }
    const found = this.#get?.get(this.#bytes(from, at));
    return found === undefined ? null : Number(found.value);
  }

  set(from: Uint32Array, at: number, value: number): void {
    this.#table?.set(from, at, value);
    this.#set?.run(this.#bytes(from, at), value);
    if (this.#table?.isFull === true) this.#store(this.#table);
  }

  /** As `KeyTable.replace`. */
  replace(from: Uint32Array, at: number, expected: number, value: number): boolean {
    if (this.#table === null) {
      if ((this.get(from, at) ?? 0) !== expected) return false;
      this.set(from, at, value);
      return true;
    }
    const isReplaced = this.#table.replace(from, at, expected, value);
    if (isReplaced && this.#table.isFull) this.#store(this.#table);
    return isReplaced;
  }

  #store(table: KeyTable): void {
    const name = this.#name;
    this.#db.exec(
      `CREATE TABLE ${name} (key BLOB PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID`,
    );
    this.#get = this.#db.prepare(`SELECT value FROM ${name} WHERE key = ?`);
    this.#set = this.#db.prepare(`INSERT OR REPLACE INTO ${name} VALUES (?, ?)`);
    this.#table = null;
    table.each((from, at, value) => {
      this.set(from, at, value);
    });
  }

  #bytes(from: Uint32Array, at: number): Uint8Array {
    return Buffer.from(from.buffer, from.byteOffset + 4 * at, 4 * this.#width);
  }
}
