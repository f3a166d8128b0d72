import { upperHex } from '../codec/hashes.ts';
import { decodeHeader, encodeHeader, type LedgerHeader } from '../codec/ledger-header.ts';
import type { LedgerEntry } from '../engine/ledger-entry.ts';
import type { FinalTransaction } from './build-ledger.ts';
import { bytesOf, HistoryFile, type Row } from './history-file.ts';
import {
  appendLedger,
  coversAll,
  formatRanges,
  type LedgerRange,
  withoutRange,
} from './ledger-ranges.ts';
import { TransactionArchive } from './transaction-archive.ts';

export interface StoredLedger {
  readonly header: LedgerHeader;
  readonly hash: string;
}

/**
 * Validated ledgers and the state after the last one, in an SQLite file. A ledger is written in one
 * transaction: after a crash it is complete or absent. A ledger is durable when `append` returns.
 * Without a file name, a temporary file is used that vanishes with the process.
 */
export class History {
  /** The transactions of these ledgers. */
  readonly transactions: TransactionArchive;
  readonly #db: HistoryFile;
  #ranges: readonly LedgerRange[] = [];

  /** Throws if the file belongs to another network. */
  constructor(file: string | undefined, networkId: number) {
    this.#db = new HistoryFile(file);
    this.#db.execute(historySchema);
    this.transactions = new TransactionArchive(this.#db);
    this.#db.run('INSERT OR IGNORE INTO chain VALUES (1, ?)', networkId);
    const kept = this.#db.row('SELECT network_id FROM chain')?.network_id;
    if (kept !== networkId) {
      this.#db.close();
      throw new Error(
        `the ledger in ${file} belongs to network ${kept}, not ${networkId}: choose another DATA_DIR`,
      );
    }
    this.#ranges = this.#storedRanges();
  }

  /** Ranges of stored ledgers, in the form of `complete_ledgers`. */
  get completeLedgers(): string {
    return formatRanges(this.#ranges);
  }

  get firstLedger(): number {
    return this.#ranges[0]?.first ?? 0;
  }

  hasRange(range: LedgerRange): boolean {
    return coversAll(this.#ranges, range);
  }

  append(
    { header, hash }: StoredLedger,
    final: readonly FinalTransaction[],
    changes: Iterable<[string, LedgerEntry | undefined]>,
  ): void {
    this.#db.atomically(() => {
      const index = header.ledgerIndex;
      const id = Buffer.from(hash, 'hex');
      this.#db.run(
        'INSERT INTO ledgers VALUES (?, ?, ?, ?)',
        index,
        id,
        encodeHeader(header),
        final.length,
      );
      for (const [order, each] of final.entries()) this.transactions.insert(index, order, each);
      for (const [entryIndex, entry] of changes) {
        const key = Buffer.from(entryIndex, 'hex');
        if (entry === undefined) this.#db.run('DELETE FROM entries WHERE entry_index = ?', key);
        else
          this.#db.run('INSERT OR REPLACE INTO entries VALUES (?, ?)', key, JSON.stringify(entry));
      }
    });
    this.#ranges = appendLedger(this.#ranges, header.ledgerIndex);
  }

  last(): StoredLedger | undefined {
    return stored(this.#db.row('SELECT * FROM ledgers ORDER BY ledger_index DESC LIMIT 1'));
  }

  ledger(index: number): StoredLedger | undefined {
    return stored(this.#db.row('SELECT * FROM ledgers WHERE ledger_index = ?', index));
  }

  ledgerByHash(hash: string): StoredLedger | undefined {
    return stored(this.#db.row('SELECT * FROM ledgers WHERE hash = ?', Buffer.from(hash, 'hex')));
  }

  *entries(): Generator<[string, LedgerEntry]> {
    for (const row of this.#db.rows('SELECT * FROM entries')) {
      yield [upperHex(bytesOf(row.entry_index)), JSON.parse(String(row.content)) as LedgerEntry];
    }
  }

  /** Drops a range of ledgers, like a server with partial history. The state stays. */
  forget({ first, last }: LedgerRange): void {
    this.#db.atomically(() => {
      for (const table of ['ledgers', 'transactions', 'account_transactions']) {
        this.#db.run(`DELETE FROM ${table} WHERE ledger_index BETWEEN ? AND ?`, first, last);
      }
    });
    this.#ranges = withoutRange(this.#ranges, { first, last });
  }

  clear(): void {
    this.#db.atomically(() => {
      for (const table of ['ledgers', 'transactions', 'account_transactions', 'entries']) {
        this.#db.run(`DELETE FROM ${table}`);
      }
    });
    this.#ranges = [];
  }

  close(): void {
    this.#db.close();
  }

  #storedRanges(): LedgerRange[] {
    return this.#db
      .rows(
        `SELECT min(ledger_index) AS first, max(ledger_index) AS last
       FROM (SELECT ledger_index, ledger_index - row_number() OVER (ORDER BY ledger_index) AS island
             FROM ledgers) GROUP BY island ORDER BY first`,
      )
      .map(({ first, last }) => ({ first: Number(first), last: Number(last) }));
  }
}

function stored(row: Row | undefined): StoredLedger | undefined {
  if (row === undefined) return undefined;
  return { header: decodeHeader(bytesOf(row.header)), hash: upperHex(bytesOf(row.hash)) };
}

/** Tables of the history file. Hashes and blobs are stored as bytes, entries as JSON. */
const historySchema = `
  CREATE TABLE IF NOT EXISTS chain (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    network_id INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS ledgers (
    ledger_index INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    header BLOB NOT NULL,
    transaction_count INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS transactions (
    ledger_index INTEGER NOT NULL,
    transaction_index INTEGER NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    blob BLOB NOT NULL,
    metadata BLOB NOT NULL,
    PRIMARY KEY (ledger_index, transaction_index)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS account_transactions (
    account BLOB NOT NULL,
    ledger_index INTEGER NOT NULL,
    transaction_index INTEGER NOT NULL,
    PRIMARY KEY (account, ledger_index, transaction_index)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (
    entry_index BLOB PRIMARY KEY,
    content TEXT NOT NULL
  ) WITHOUT ROWID;
`;
