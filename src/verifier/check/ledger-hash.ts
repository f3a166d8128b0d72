import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/**
 * A hash of the ledger, upper-case hex: the first 32 bytes of SHA-512 over a prefix and the binary
 * form (`hex`). The four-byte prefix names the kind of object (xrpl.org, "Hash Prefixes").
 */
export function ledgerHash(prefix: keyof typeof prefixes, hex: string): string {
  const hash = sha512(hexToBytes(prefixes[prefix] + hex));
  return bytesToHex(hash.subarray(0, 32)).toUpperCase();
}

/** `TXN` and `LWR`, each followed by a zero byte. */
const prefixes = { transaction: '54584E00', ledger: '4C575200' };
