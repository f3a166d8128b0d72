import type { ValidatedLedger } from './contract.ts';
import { sha512Half } from './sha512-half.ts';
import { transactionTreeHash } from './transaction-tree.ts';

/** A server's answer contradicts itself and must not be trusted. */
export class LedgerForged extends Error {
  constructor(index: number, why: string) {
    super(`the server's answer for ledger ${index} is not consistent: ${why}`);
    this.name = 'LedgerForged';
  }
}

/** Answer to `ledger` with `transactions`, `expand` and `binary`. */
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
 * Reads a validated ledger from the answer. Checks that the header hashes to the ledger's hash, and
 * all transactions to the header's tree. Throws `LedgerForged` otherwise.
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

/** A ledger header, read from its binary form. Hashes in upper-case hex. */
interface LedgerHeader {
  readonly index: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactionTreeHash: string;
  /** Seconds since 2000-01-01T00:00:00Z. */
  readonly closeTime: number;
}

const headerBytes = 118;

/**
 * Reads the binary header (`ledger_data`): sequence 4, drops 8, parent hash 32, transaction tree
 * 32, state tree 32, parent close time 4, close time 4, resolution 1, flags 1, all big-endian
 * (rippled, LedgerHeader.cpp). The hash is computed from these bytes. Throws on another length.
 */
export function readLedgerHeader(hex: string): LedgerHeader {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== headerBytes) {
    throw new Error(`a ledger header has ${headerBytes} bytes, this one ${bytes.length}`);
  }
  const hashAt = (offset: number) => upperHex(bytes.subarray(offset, offset + 32));
  return {
    index: bytes.readUInt32BE(0),
    hash: upperHex(sha512Half('ledger', bytes)),
    parentHash: hashAt(12),
    transactionTreeHash: hashAt(44),
    closeTime: bytes.readUInt32BE(112),
  };
}

function upperHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
