import { upperHex } from '../codec/hashes.ts';
import { accountId } from '../codec/ledger-keys.ts';
import { affectedAccounts } from './affected-accounts.ts';
import type { FinalTransaction } from './build-ledger.ts';
import { bytesOf, type HistoryFile } from './history-file.ts';
import { type StoredTransaction, storedTransaction } from './stored-transaction.ts';

interface AccountHistoryQuery {
  readonly account: string;
  readonly first: number;
  readonly last: number;
  readonly forward: boolean;
  readonly limit: number;
  readonly from: { readonly ledger: number; readonly seq: number } | undefined;
}

/** The validated transactions in the history file, by hash, by position and by account. */
export class TransactionArchive {
  readonly #db: HistoryFile;

  constructor(db: HistoryFile) {
    this.#db = db;
  }

  /** Call only within the write of the whole ledger. */
  insert(
    ledgerIndex: number,
    transactionIndex: number,
    { transaction, metadata, metadataBlob }: FinalTransaction,
  ): void {
    const hash = Buffer.from(transaction.hash, 'hex');
    this.#db.run(
      'INSERT INTO transactions VALUES (?, ?, ?, ?, ?)',
      ...[ledgerIndex, transactionIndex, hash, transaction.blob, metadataBlob],
    );
    for (const account of affectedAccounts(metadata)) {
      this.#db.run(
        'INSERT INTO account_transactions VALUES (?, ?, ?)',
        accountId(account),
        ledgerIndex,
        transactionIndex,
      );
    }
  }

  byHash(hash: string): StoredTransaction | undefined {
    const row = this.#db.row('SELECT * FROM transactions WHERE hash = ?', Buffer.from(hash, 'hex'));
    return row === undefined ? undefined : storedTransaction(row);
  }

  at(ledgerIndex: number, transactionIndex: number): StoredTransaction | undefined {
    const row = this.#db.row(
      'SELECT * FROM transactions WHERE ledger_index = ? AND transaction_index = ?',
      ledgerIndex,
      transactionIndex,
    );
    return row === undefined ? undefined : storedTransaction(row);
  }

  /** Ordered by hash, as rippled lists a ledger's transactions. */
  ofLedger(ledgerIndex: number): StoredTransaction[] {
    return this.#db
      .rows('SELECT * FROM transactions WHERE ledger_index = ? ORDER BY hash', ledgerIndex)
      .map(storedTransaction);
  }

  hashesOfLedger(ledgerIndex: number): string[] {
    return this.#db
      .rows('SELECT hash FROM transactions WHERE ledger_index = ? ORDER BY hash', ledgerIndex)
      .map(({ hash }) => upperHex(bytesOf(hash)));
  }

  /** Transactions that touched an account, in the requested order, starting at `from`. */
  ofAccount(query: AccountHistoryQuery): StoredTransaction[] {
    const { account, first, last, forward, limit, from } = query;
    const comparison = forward ? '>=' : '<=';
    const direction = forward ? 'ASC' : 'DESC';
    const farEnd = forward ? { ledger: first, seq: 0 } : { ledger: last, seq: 0xffffffff };
    const start = from ?? farEnd;
    return this.#db
      .rows(
        `SELECT t.* FROM account_transactions a JOIN transactions t USING (ledger_index, transaction_index)
       WHERE a.account = ? AND a.ledger_index BETWEEN ? AND ?
         AND (a.ledger_index, a.transaction_index) ${comparison} (?, ?)
       ORDER BY a.ledger_index ${direction}, a.transaction_index ${direction} LIMIT ?`,
        ...[accountId(account), first, last, start.ledger, start.seq, limit],
      )
      .map(storedTransaction);
  }
}
