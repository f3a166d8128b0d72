import { decodeAccountID, isValidClassicAddress } from 'ripple-address-codec';
import { sha512Half, upperHex } from './hashes.ts';

/**
 * Indexes of ledger entries: SHA-512Half(16-bit space ‖ identifying bytes), upper-case hex
 * (xrpl.org/docs/references/protocol/ledger-data/common-fields#ledger-entry-id).
 */
export function accountRootIndex(address: string): string {
  return indexOf('a', accountId(address));
}

export function ticketIndex(address: string, ticketSequence: number): string {
  const sequence = Buffer.alloc(4);
  sequence.writeUInt32BE(ticketSequence);
  return indexOf('T', accountId(address), sequence);
}

export function ownerDirectoryIndex(address: string): string {
  return indexOf('O', accountId(address));
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && isValidClassicAddress(value);
}

/** The 20 bytes of an address. Throws on anything but a classic address. */
export function accountId(address: string): Buffer {
  const known = accountIds.get(address);
  if (known !== undefined) return known;
  if (accountIds.size >= 10_000) accountIds.clear();
  const bytes = Buffer.from(decodeAccountID(address));
  accountIds.set(address, bytes);
  return bytes;
}

/** Caches: Base58 with its checksum is slow to decode, and the same few accounts recur. */
const accountIds = new Map<string, Buffer>();
const indexes = new Map<string, string>();

function indexOf(space: string, ...parts: readonly Buffer[]): string {
  const key = `${space}${Buffer.concat(parts).toString('latin1')}`;
  const known = indexes.get(key);
  if (known !== undefined) return known;
  if (indexes.size >= 10_000) indexes.clear();
  const index = upperHex(sha512Half(Buffer.of(0, space.charCodeAt(0)), ...parts));
  indexes.set(key, index);
  return index;
}
