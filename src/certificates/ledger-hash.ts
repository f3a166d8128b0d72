import { createHash } from 'node:crypto';

/**
 * A hash of the ledger, upper-case hex: the first 32 bytes of SHA-512 over a four-byte prefix that
 * tells what is hashed (xrpl.org, "Hash Prefixes") and its binary form, given in hex.
 */
export function ledgerHash(prefix: keyof typeof prefixes, hex: string): string {
  const hash = createHash('sha512').update(prefixes[prefix]).update(hex, 'hex');
  return hash.digest().subarray(0, 32).toString('hex').toUpperCase();
}

const prefixes = {
  transaction: Buffer.from('TXN\0', 'latin1'),
  ledger: Buffer.from('LWR\0', 'latin1'),
};
