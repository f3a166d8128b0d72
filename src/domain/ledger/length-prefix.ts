/** The largest length that a prefix can state, in bytes. */
export const maxPrefixedBytes = 918_744;

/** Length prefix of a variable-length field (xrpl.org, "Length Prefixing"). Throws beyond the largest. */
export function lengthPrefix(length: number): Uint8Array {
  if (length <= 192) return Uint8Array.of(length);
  if (length <= 12_480) {
    const rest = length - 193;
    return Uint8Array.of(193 + (rest >> 8), rest & 255);
  }
  if (length > maxPrefixedBytes) throw new RangeError(`no prefix states ${length} bytes`);
  const rest = length - 12_481;
  return Uint8Array.of(241 + (rest >> 16), (rest >> 8) & 255, rest & 255);
}
