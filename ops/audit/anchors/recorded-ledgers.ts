import type { StatementSync } from 'node:sqlite';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';

/** Later records of transactions in a ledger are compared with this many newest attested ledgers. */
const keptLeaves = 20_000;

/** A recorded transaction of ours in a ledger. */
export interface KnownAnchor {
  readonly position: number;
  readonly transaction: string;
  readonly leaf: string | null;
  readonly header: string;
  /** Of the recorded ledger, upper-case hex. */
  readonly hash: string;
}

interface KnownLedger {
  readonly hash: string;
  /** Index of the ledger that validators signed. */
  readonly attested: number;
}

/** Attested ledgers, and transactions of ours in ledgers not attested yet, in a temporary file. */
export class RecordedLedgers {
  readonly #db = openTemporaryDatabase();
  readonly #findLedger: StatementSync;
  readonly #addAnchor: StatementSync;

  constructor() {
    this.#db.exec(`
      CREATE TABLE anchors (ledger TEXT, position INTEGER, "transaction" TEXT, leaf TEXT, header TEXT, hash TEXT);
      CREATE INDEX anchors_ledger ON anchors (ledger);
      CREATE TABLE ledgers (ledger TEXT PRIMARY KEY, hash TEXT, attested INTEGER) WITHOUT ROWID;
      CREATE TABLE leaves (n INTEGER PRIMARY KEY, ledger TEXT UNIQUE, leaves BLOB)`);
    this.#findLedger = this.#db.prepare('SELECT hash, attested FROM ledgers WHERE ledger = ?');
    this.#addAnchor = this.#db.prepare('INSERT INTO anchors VALUES (?, ?, ?, ?, ?, ?)');
  }

  close(): void {
    this.#db.close();
  }

  addAnchor(ledger: string, { position, transaction, leaf, header, hash }: KnownAnchor): void {
    this.#addAnchor.run(ledger, position, transaction, leaf, header, hash);
  }

  /** Transactions of ours in a ledger that were recorded since it was last attested. */
  anchorsIn(ledger: string): readonly KnownAnchor[] {
    const text = 'SELECT position, "transaction", leaf, header, hash FROM anchors WHERE ledger = ?';
    return this.#db.prepare(text).all(ledger) as unknown as KnownAnchor[];
  }

  /** The attested ledger; null if it is not attested yet. */
  find(ledger: string): KnownLedger | null {
    return (this.#findLedger.get(ledger) as unknown as KnownLedger | undefined) ?? null;
  }

  /** Leaves of an attested ledger; null if it was attested long before in the log. */
  leavesOf(ledger: string): Uint8Array | null {
    const found = this.#db.prepare('SELECT leaves FROM leaves WHERE ledger = ?').get(ledger);
    return (found as { leaves: Uint8Array } | undefined)?.leaves ?? null;
  }

  /** Remembers an attested ledger and its leaves, in place of the transactions recorded in it. */
  attest(ledger: string, { hash, attested }: KnownLedger, leaves: Uint8Array): void {
    this.#db.prepare('DELETE FROM anchors WHERE ledger = ?').run(ledger);
    this.#db.prepare('INSERT OR REPLACE INTO ledgers VALUES (?, ?, ?)').run(ledger, hash, attested);
    const { lastInsertRowid } = this.#db
      .prepare('INSERT OR REPLACE INTO leaves (ledger, leaves) VALUES (?, ?)')
      .run(ledger, leaves);
    this.#db.prepare('DELETE FROM leaves WHERE n <= ?').run(Number(lastInsertRowid) - keptLeaves);
  }
}
