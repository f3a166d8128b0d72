import { decode, encode } from 'ripple-binary-codec';
import { BinaryParser } from 'ripple-binary-codec/dist/serdes/binary-parser.js';

/** Decoded ledger data, as untrusted as its bytes. */
export type Decoded = Readonly<Record<string, unknown>>;

/**
 * Decodes a transaction or its metadata, in hex. Returns null for other bytes, for more than 16 KiB, for a
 * deeper nesting than servers of the ledger accept, and for a non-canonical form, such as trailing bytes or
 * a duplicate field.
 */
export function decodeCanonical(hex: string): Decoded | null {
  try {
    // The time of `decode` grows with the square of the size, and with that of the depth: 10 s for
    // 300 kB of small fields, and 25 s for 5 kB of opening fields.
    if (hex.length > 2 * maxBytes || isNestedDeeply(hex)) return null;
    const decoded = decode(hex) as Decoded;
    return encode(decoded) === hex ? decoded : null;
  } catch {
    return null;
  }
}

/** An anchoring transaction has some 500 bytes, and its metadata have some 300. */
const maxBytes = 16 * 1024;

/** Limit of rippled (STVar.cpp). */
const maxDepth = 10;
const endMarkers = ['ObjectEndMarker', 'ArrayEndMarker'];
const containers = ['STObject', 'STArray'];

/** Throws for malformed bytes. */
function isNestedDeeply(hex: string): boolean {
  const parser = new BinaryParser(hex);
  let depth = 0;
  while (!parser.end()) {
    const field = parser.readField();
    if (endMarkers.includes(field.name)) depth -= 1;
    else if (containers.includes(field.type.name)) depth += 1;
    else parser.readFieldValue(field);
    if (depth > maxDepth) return true;
  }
  return false;
}
