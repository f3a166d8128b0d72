/**
 * Bytes as lower-case hexadecimal text.
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Bytes of hexadecimal text, in either case; what is no such text is no bytes.
 * @param {string} text
 */
export function fromHex(text) {
  const pairs = /^(?:[0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
