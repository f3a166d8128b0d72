/** Content bytes of the types with a fixed length, by type code. */
const fixedLengths: Readonly<Record<number, number>> = {
  1: 2,
  2: 4,
  3: 8,
  4: 16,
  5: 32,
  16: 1,
  17: 20,
};
const amount = 6;
const variableLength = new Set([7, 8]);
const object = 14;
const array = 15;
const objectEnd = 0xe1;
const arrayEnd = 0xf1;

/**
 * True if the fields of a decodable blob are provably in canonical order without duplicates
 * (xrpl.org/docs/references/protocol/binary-format#canonical-field-order). False also for content
 * that this quick check does not support; such a blob must be encoded again to find out.
 */
export function isCanonicalBlob(blob: Buffer): boolean {
  return fieldsEnd(blob, 0, undefined) === blob.length;
}

/** End of a run of ascending fields: after the end marker, or at the blob's end; -1 if unsure. */
function fieldsEnd(blob: Buffer, start: number, marker: number | undefined): number {
  let at = start;
  let last = -1;
  while (at < blob.length) {
    const head = blob[at] ?? 0;
    if (head === marker) return at + 1;
    const [ordinal, contentStart] = readHeader(blob, at);
    if (ordinal <= last) return -1;
    last = ordinal;
    at = contentEnd(blob, contentStart, ordinal >> 8);
    if (at < 0 || at > blob.length) return -1;
  }
  return marker === undefined ? at : -1;
}

/** The field's ordinal (type before field code), and the start of its content. */
function readHeader(blob: Buffer, at: number): readonly [number, number] {
  const head = blob[at] ?? 0;
  let type = head >> 4;
  let field = head & 15;
  let next = at + 1;
  if (type === 0) type = blob[next++] ?? 0;
  if (field === 0) field = blob[next++] ?? 0;
  return [(type << 8) | field, next];
}

function contentEnd(blob: Buffer, at: number, type: number): number {
  const fixed = fixedLengths[type];
  if (fixed !== undefined) return at + fixed;
  // Positive drops: neither an issued amount (highest bit) nor a multi-purpose token amount.
  if (type === amount) return ((blob[at] ?? 0) & 0xe0) === 0x40 ? at + 8 : -1;
  if (variableLength.has(type)) {
    const first = blob[at] ?? 0;
    if (first <= 192) return at + 1 + first;
    return first <= 240 ? at + 2 + 193 + (first - 193) * 256 + (blob[at + 1] ?? 0) : -1;
  }
  return type === array ? arrayContentEnd(blob, at) : -1;
}

/** An array holds objects, each with a header, its fields and an end marker. */
function arrayContentEnd(blob: Buffer, start: number): number {
  let at = start;
  while (at >= 0 && at < blob.length) {
    if (blob[at] === arrayEnd) return at + 1;
    const [ordinal, contentStart] = readHeader(blob, at);
    if (ordinal >> 8 !== object) return -1;
    at = fieldsEnd(blob, contentStart, objectEnd);
  }
  return -1;
}
