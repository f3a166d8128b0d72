import { createHash } from 'node:crypto';

/**
 * The ledger's hash: the first 32 bytes of SHA-512 over a four-byte prefix that separates the kinds
 * of things hashed (rippled, HashPrefix.h) and the parts.
 */
export function sha512Half(prefix: HashPrefix, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha512').update(prefixes[prefix]);
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 32);
}

export type HashPrefix = 'transaction' | 'transactionWithMetadata' | 'innerNode' | 'ledger';

const prefixes: Readonly<Record<HashPrefix, Buffer>> = {
  transaction: Buffer.from('TXN\0', 'latin1'),
  transactionWithMetadata: Buffer.from('SND\0', 'latin1'),
  innerNode: Buffer.from('MIN\0', 'latin1'),
  ledger: Buffer.from('LWR\0', 'latin1'),
};

/** The hash of a signed transaction, upper-case hex. */
export function transactionHash(blob: Uint8Array): string {
  return sha512Half('transaction', blob).toString('hex').toUpperCase();
}
