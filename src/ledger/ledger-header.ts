import { sha512Half } from './sha512-half.ts';

/** A ledger header, read from its binary form. Hashes in upper-case hex. */
export interface LedgerHeader {
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
 * (rippled, LedgerHeader.cpp). Its hash is computed from it, never believed. Throws on another length.
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
