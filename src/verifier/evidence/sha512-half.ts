import { sha512 } from '@noble/hashes/sha2.js';

/**
 * The ledger's hash: the first 32 bytes of SHA-512 over a prefix and the parts. The four-byte
 * prefix separates the kinds of hashed data (rippled, HashPrefix.h).
 */
export function sha512Half(
  prefix: keyof typeof hashPrefixes,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const hash = sha512.create().update(hashPrefixes[prefix]);
  for (const part of parts) hash.update(part);
  return hash.digest().slice(0, 32);
}

/** Three letters and a zero byte. `manifest` and `validation` begin a message that is signed. */
export const hashPrefixes = {
  transaction: prefix('TXN'),
  transactionWithMetadata: prefix('SND'),
  innerNode: prefix('MIN'),
  ledger: prefix('LWR'),
  manifest: prefix('MAN'),
  validation: prefix('VAL'),
} as const;

function prefix(letters: string): Uint8Array {
  return new TextEncoder().encode(`${letters}\0`);
}
