import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from './references.ts';

/** A reference to a thing that had not begun, or had another owner, when the event was read. */
export interface OpenReference {
  readonly position: number;
  readonly stream: string;
  readonly owner: string | null;
  readonly field: string;
  readonly kind: Kind;
  readonly id: string;
}

/** References that are judged at the end of the log, in a table of a temporary database. */
export class OpenReferences {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(
      'CREATE TABLE open (position INTEGER, stream TEXT, owner TEXT, field TEXT, kind TEXT, id TEXT)',
    );
    this.#insert = db.prepare('INSERT INTO open VALUES (?, ?, ?, ?, ?, ?)');
  }

  add({ position, stream, owner, field, kind, id }: OpenReference): void {
    this.#insert.run(position, stream, owner, field, kind, id);
  }

  /** All of them, in the order of the log. */
  all(): Iterable<OpenReference> {
    const text =
      'SELECT position, stream, owner, field, kind, id FROM open ORDER BY position, rowid';
    return this.#db.prepare(text).iterate() as Iterable<unknown> as Iterable<OpenReference>;
  }
}
