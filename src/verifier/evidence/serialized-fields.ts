import { BadEvidence } from './bad-evidence.ts';

/** One field of a serialized object, with its place in the bytes. */
export interface SerializedField {
  /** Type and field code, such as `7.6` for a Signature. */
  readonly name: string;
  /** Place of the field's header. */
  readonly start: number;
  /** Place after the value. */
  readonly end: number;
  /** The value, without header and length prefix. */
  readonly value: Uint8Array;
}

/**
 * Reads the fields of a serialized object (xrpl.org, "Serialization Format"). Knows the plain types
 * of manifests and validations only: no objects, arrays or amounts other than XRP. Throws
 * `BadEvidence` unless the bytes are in canonical form: fields ascend, so none is doubled, and
 * headers and lengths are as short as possible.
 */
export function readFields(
  bytes: Uint8Array,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: string },
): ReadonlyMap<string, SerializedField> {
  const malformed = (why: string) => new BadEvidence('malformed', `${what} ${why}`);
  if (bytes.length > maxBytes) throw malformed(`is larger than ${maxBytes} bytes`);
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw malformed('ends within a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1)[0] ?? 0;

  const fields = new Map<string, SerializedField>();
  let before = 0;
  while (at < bytes.length) {
    const start = at;
    const first = byte();
    const type = first >> 4 || longCode(byte());
    const code = first & 15 || longCode(byte());
    const order = 256 * type + code;
    if (order <= before) throw malformed('has fields in the wrong order');
    before = order;
    const value = take(sizeOf(type));
    if (type === xrpAmount && !isXrp(value)) throw malformed('has an unknown amount');
    const name = `${type}.${code}`;
    fields.set(name, { name, start, end: at, value });
  }
  return fields;

  function longCode(code: number): number {
    if (code < 16) throw malformed('has a field header in a longer form than needed');
    return code;
  }

  function sizeOf(type: number): number {
    const size = sizes.get(type);
    if (size !== undefined) return size;
    if (type !== blob && type !== hashes)
      throw malformed(`has a field of the unknown type ${type}`);
    const length = lengthPrefixed();
    if (type === hashes && length % 32 !== 0) throw malformed('has a hash that is cut');
    return length;
  }

  /** Length prefixes cannot be longer than needed: each range begins where the last one ends. */
  function lengthPrefixed(): number {
    const first = byte();
    if (first <= 192) return first;
    if (first <= 240) return 193 + 256 * (first - 193) + byte();
    if (first <= 254) return 12_481 + 65_536 * (first - 241) + 256 * byte() + byte();
    throw malformed('has a field of an impossible length');
  }
}

/** The bytes without some fields, as signatures cover them. */
export function withoutFields(
  bytes: Uint8Array,
  fields: readonly (SerializedField | undefined)[],
): readonly Uint8Array[] {
  const cut = fields.filter((field) => field !== undefined).sort((a, b) => a.start - b.start);
  const starts = [0, ...cut.map(({ end }) => end)];
  const ends = [...cut.map(({ start }) => start), bytes.length];
  return starts.map((start, index) => bytes.subarray(start, ends[index]));
}

/** Big-endian number of four bytes. */
export function uint32(value: Uint8Array, at = 0): number {
  return new DataView(value.buffer, value.byteOffset, value.byteLength).getUint32(at);
}

/** True for an amount of XRP that can exist: a positive one of at most 10^17 drops. */
function isXrp(value: Uint8Array): boolean {
  const amount = new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0);
  return amount >= positive && amount - positive <= allDrops;
}

const [positive, allDrops] = [2n ** 62n, 10n ** 17n];

/** Bytes of a value by type: UInt16, 32, 64, Hash128, Hash256, Amount (XRP), Int32, UInt8. */
const sizes: ReadonlyMap<number, number> = new Map([
  [1, 2],
  [2, 4],
  [3, 8],
  [4, 16],
  [5, 32],
  [6, 8],
  [10, 4],
  [16, 1],
]);
const [xrpAmount, blob, hashes] = [6, 7, 19];
