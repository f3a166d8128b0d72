import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/**
 * A hash of the ledger, upper-case hex: the first 32 bytes of SHA-512 over a four-byte prefix that
 * tells what is hashed (xrpl.org, "Hash Prefixes") and its binary form, given in hex.
 */
export function ledgerHash(prefix: keyof typeof prefixes, hex: string): string {
  const hash = sha512(hexToBytes(prefixes[prefix] + hex));
  return bytesToHex(hash.subarray(0, 32)).toUpperCase();
}

/** `TXN` and `LWR`, each with a zero byte behind. */
const prefixes = { transaction: '54584E00', ledger: '4C575200' };
