/** Tables of the history file. Hashes and blobs are stored as bytes, entries as JSON. */
export const historySchema = `
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
