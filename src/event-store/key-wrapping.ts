import { decrypt, encrypt } from './encryption.ts';

/**
 * The master key that wraps, and former ones. Each unwraps the keys that it has wrapped. 32 bytes
 * each.
 */
export interface MasterKeys {
  readonly present: Buffer;
  readonly former?: readonly Buffer[];
}

export type KeyPurpose = 'data' | 'index';

/** A row of `data_keys`. */
export interface WrappedKey {
  readonly organisation_id: string;
  readonly purpose: KeyPurpose;
  readonly key_id: string;
  readonly wrapped: Buffer;
}

/**
 * Wraps an organisation's key (32 bytes) for storage. It can be unwrapped only in this row of the
 * table.
 */
export function wrapKey(key: Buffer, row: Omit<WrappedKey, 'wrapped'>, masterKey: Buffer): Buffer {
  const { iv, ct } = encrypt(key.toString('base64'), masterKey, contextOf(row));
  return Buffer.concat([iv, ct]);
}

/** Returns the key, and whether the present master key unwrapped it; null if no master key does. */
export function unwrapKey(
  row: WrappedKey,
  { present, former = [] }: MasterKeys,
): { readonly key: Buffer; readonly isPresent: boolean } | null {
  const encrypted = { iv: row.wrapped.subarray(0, ivBytes), ct: row.wrapped.subarray(ivBytes) };
  for (const masterKey of [present, ...former]) {
    try {
      const text = decrypt(encrypted, masterKey, contextOf(row));
      return { key: Buffer.from(text, 'base64'), isPresent: masterKey === present };
    } catch {
      // Another master key has wrapped it.
    }
  }
  return null;
}

const ivBytes = 12;

function contextOf(row: Omit<WrappedKey, 'wrapped'>): string {
  return `${row.organisation_id}|${row.purpose}|${row.key_id}`;
}
