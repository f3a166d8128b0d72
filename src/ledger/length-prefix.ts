/** Length prefix of a variable-length field (xrpl.org, "Length Prefixing"). */
export function lengthPrefix(length: number): Buffer {
  if (length <= 192) return Buffer.from([length]);
  if (length <= 12_480) {
    const rest = length - 193;
    return Buffer.from([193 + (rest >> 8), rest & 255]);
  }
  const rest = length - 12_481;
  return Buffer.from([241 + (rest >> 16), (rest >> 8) & 255, rest & 255]);
}
