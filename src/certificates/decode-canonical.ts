import { decode, encode } from 'ripple-binary-codec';

/** What bytes of the ledger say; it is as untrusted as they are. */
export type Decoded = Readonly<Record<string, unknown>>;

/**
 * Decodes a transaction or its metadata, in hex; null for bytes that are none or not its one canonical
 * form, as with something behind its end or a field that is there twice.
 */
export function decodeCanonical(hex: string): Decoded | null {
  try {
    const decoded = decode(hex) as Decoded;
    return encode(decoded) === hex ? decoded : null;
  } catch {
    return null;
  }
}
