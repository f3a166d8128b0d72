import { hash } from 'node:crypto';

/**
 * Four-byte prefixes that separate the hash domains
 * (xrpl.org/docs/references/protocol/data-types/basic-data-types#hash-prefixes).
 */
export const hashPrefix = {
  transaction: Buffer.from('TXN\0'),
  transactionWithMetadata: Buffer.from('SND\0'),
  stateEntry: Buffer.from('MLN\0'),
  innerNode: Buffer.from('MIN\0'),
  ledger: Buffer.from('LWR\0'),
  signing: Buffer.from('STX\0'),
} as const;

export const zeroHash = '0'.repeat(64);

/** The first 32 bytes of SHA-512, the ledger's only hash function. */
export function sha512Half(...parts: readonly Uint8Array[]): Buffer {
  return hash(
    'sha512',
    parts.length === 1 ? (parts[0] ?? '') : Buffer.concat(parts),
    'buffer',
  ).subarray(0, 32);
}

/** Upper-case hex, the form of hashes and blobs in the ledger's answers. */
export function upperHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('hex')
    .toUpperCase();
}

/** Transaction hash: SHA-512Half("TXN\0" + canonical blob). */
export function transactionHash(blob: Uint8Array): Buffer {
  return sha512Half(hashPrefix.transaction, blob);
}

/** Leaf of a closed ledger's transaction tree: "SND\0" + both blobs with length prefixes + hash. */
export function transactionLeafHash(
  blob: Uint8Array,
  metadata: Uint8Array,
  id: Uint8Array,
): Buffer {
  return sha512Half(
    hashPrefix.transactionWithMetadata,
    lengthPrefix(blob.length),
    blob,
    lengthPrefix(metadata.length),
    metadata,
    id,
  );
}

/** Leaf of the state tree: "MLN\0" + entry + its index. */
export function stateLeafHash(entry: Uint8Array, index: Uint8Array): Buffer {
  return sha512Half(hashPrefix.stateEntry, entry, index);
}

/**
 * Length prefix of variable-length content
 * (xrpl.org/docs/references/protocol/binary-format#length-prefixing).
 */
export function lengthPrefix(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  if (length <= 12480) {
    const rest = length - 193;
    return Buffer.of(193 + (rest >> 8), rest & 0xff);
  }
  const rest = length - 12481;
  return Buffer.of(241 + (rest >> 16), (rest >> 8) & 0xff, rest & 0xff);
}
