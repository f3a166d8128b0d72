import { bytesToHex } from '@noble/hashes/utils.js';
import { BadEvidence } from './bad-evidence.ts';
import { headerBytes } from './limits.ts';
import { uint32 } from './serialized-fields.ts';
import { sha512Half } from './sha512-half.ts';

/** A ledger's header. Hashes are lower-case hex. */
export interface LedgerHeader {
  readonly index: number;
  /** Computed from the bytes. */
  readonly hash: string;
  readonly parentHash: string;
  readonly transactionRoot: string;
  /** Seconds since 2000-01-01T00:00:00Z. */
  readonly closeTime: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads a binary header (`ledger_data`): index 4, drops 8, parent hash 32, transaction root 32,
 * account root 32, parent close time 4, close time 4, resolution 1, flags 1, all big-endian
 * (rippled, LedgerHeader.cpp). Throws `BadEvidence` on another length.
 */
export function readHeader(bytes: Uint8Array): LedgerHeader {
  if (bytes.length !== headerBytes) {
    throw new BadEvidence(
      'header',
      `a ledger header has ${bytes.length} bytes instead of ${headerBytes}`,
    );
  }
  return {
    index: uint32(bytes, 0),
    hash: bytesToHex(sha512Half('ledger', bytes)),
    parentHash: bytesToHex(bytes.subarray(12, 44)),
    transactionRoot: bytesToHex(bytes.subarray(44, 76)),
    closeTime: uint32(bytes, 112),
    bytes,
  };
}
