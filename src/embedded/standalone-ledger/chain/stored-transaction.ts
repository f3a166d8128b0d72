import { upperHex } from '../codec/hashes.ts';
import { bytesOf, type Row } from './history-file.ts';

/** A validated transaction as stored; blobs and hash in upper-case hex. */
export interface StoredTransaction {
  readonly ledgerIndex: number;
  readonly transactionIndex: number;
  readonly hash: string;
  readonly blob: string;
  readonly metadata: string;
}

export function storedTransaction(row: Row): StoredTransaction {
  return {
    ledgerIndex: Number(row.ledger_index),
    transactionIndex: Number(row.transaction_index),
    hash: hex(row.hash),
    blob: hex(row.blob),
    metadata: hex(row.metadata),
  };
}

function hex(value: unknown): string {
  return upperHex(bytesOf(value));
}
