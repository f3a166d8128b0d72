import { hashPrefix, sha512Half, upperHex } from './hashes.ts';

/** A closed ledger's header. Hashes are upper-case hex, times are seconds since 2000-01-01 UTC. */
export interface LedgerHeader {
  readonly ledgerIndex: number;
  readonly totalDrops: bigint;
  readonly parentHash: string;
  readonly transactionHash: string;
  readonly accountHash: string;
  readonly parentCloseTime: number;
  readonly closeTime: number;
  readonly closeTimeResolution: number;
  readonly closeFlags: number;
}

/** The 118 bytes shown as `ledger_data` by `ledger`, and covered by the ledger's hash. */
export function encodeHeader(header: LedgerHeader): Buffer {
  const bytes = Buffer.alloc(118);
  bytes.writeUInt32BE(header.ledgerIndex, 0);
  bytes.writeBigUInt64BE(header.totalDrops, 4);
  bytes.write(header.parentHash, 12, 'hex');
  bytes.write(header.transactionHash, 44, 'hex');
  bytes.write(header.accountHash, 76, 'hex');
  bytes.writeUInt32BE(header.parentCloseTime, 108);
  bytes.writeUInt32BE(header.closeTime, 112);
  bytes.writeUInt8(header.closeTimeResolution, 116);
  bytes.writeUInt8(header.closeFlags, 117);
  return bytes;
}

export function decodeHeader(bytes: Buffer): LedgerHeader {
  return {
    ledgerIndex: bytes.readUInt32BE(0),
    totalDrops: bytes.readBigUInt64BE(4),
    parentHash: upperHex(bytes.subarray(12, 44)),
    transactionHash: upperHex(bytes.subarray(44, 76)),
    accountHash: upperHex(bytes.subarray(76, 108)),
    parentCloseTime: bytes.readUInt32BE(108),
    closeTime: bytes.readUInt32BE(112),
    closeTimeResolution: bytes.readUInt8(116),
    closeFlags: bytes.readUInt8(117),
  };
}

/** Ledger hash: SHA-512Half("LWR\0" + header), upper-case hex. */
export function ledgerHash(header: LedgerHeader): string {
  return upperHex(sha512Half(hashPrefix.ledger, encodeHeader(header)));
}
