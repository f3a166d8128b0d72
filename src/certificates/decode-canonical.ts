import { decode, encode } from 'ripple-binary-codec';

/** Decoded ledger data, as untrusted as its bytes. */
export type Decoded = Readonly<Record<string, unknown>>;

/**
 * Decodes a transaction or its metadata, in hex. Returns null for other bytes and for a
 * non-canonical form, such as trailing bytes or a duplicate field.
 */
export function decodeCanonical(hex: string): Decoded | null {
  try {
    const decoded = decode(hex) as Decoded;
    return encode(decoded) === hex ? decoded : null;
  } catch {
    return null;
  }
}
