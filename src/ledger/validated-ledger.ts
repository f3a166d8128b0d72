import type { ValidatedLedger } from './contract.ts';
import { readLedgerHeader } from './ledger-header.ts';
import { transactionTreeHash } from './transaction-tree.ts';

/** A server's answer that contradicts itself: it is not to be believed. */
export class LedgerForged extends Error {
  constructor(index: number, why: string) {
    super(`the server's answer for ledger ${index} is not consistent: ${why}`);
    this.name = 'LedgerForged';
  }
}

/** What `ledger` with transactions, expand and binary answers. */
export interface BinaryLedgerAnswer {
  readonly ledger: {
    readonly ledger_data: string;
    readonly transactions?: readonly {
      readonly hash: string;
      readonly tx_blob: string;
      readonly meta_blob: string;
    }[];
  };
  readonly ledger_hash: string;
  readonly ledger_index: number;
  readonly validated?: boolean;
}

/**
 * Turns the answer into a ledger after checking that its header hashes to its name and its
 * transactions, all of them, to the header's tree. Throws `LedgerForged` otherwise.
 */
export function readValidatedLedger(answer: BinaryLedgerAnswer): ValidatedLedger {
  const { ledger_data: headerHex, transactions = [] } = answer.ledger;
  const header = readLedgerHeader(headerHex);
  if (header.hash !== answer.ledger_hash) {
    throw new LedgerForged(answer.ledger_index, `its header hashes to ${header.hash}`);
  }
  if (new Set(transactions.map(({ hash }) => hash)).size < transactions.length) {
    throw new LedgerForged(header.index, 'it lists a transaction twice');
  }
  const tree = transactionTreeHash(
    transactions.map(({ hash, tx_blob, meta_blob }) => ({
      hash: Buffer.from(hash, 'hex'),
      blob: Buffer.from(tx_blob, 'hex'),
      metadata: Buffer.from(meta_blob, 'hex'),
    })),
  );
  if (tree !== header.transactionTreeHash) {
    throw new LedgerForged(header.index, 'its transactions do not hash to the tree of its header');
  }
  return {
    index: header.index,
    hash: header.hash,
    parentHash: header.parentHash,
    closeTime: header.closeTime,
    header: headerHex,
    transactions: transactions.map(({ hash, tx_blob, meta_blob }) => ({
      hash,
      blob: tx_blob,
      metadata: meta_blob,
    })),
  };
}
