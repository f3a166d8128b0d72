import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | string;
  /** Puts sizes and checksum after the content, like programs that write in one pass. */
  readonly streamed?: boolean;
  readonly stored?: boolean;
}

/** Compressing a large content takes long, and tests put the same one into several archives. */
const compressed = new WeakMap<Buffer, Buffer>();

function compress(content: Buffer): Buffer {
  const known = compressed.get(content);
  if (known !== undefined) return known;
  const packed = deflateRawSync(content);
  compressed.set(content, packed);
  return packed;
}

/** Writes a zip file with these entries in order (APPNOTE 6.3.10). */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, streamed = false, stored = false } of entries) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const packed = stored ? bytes : compress(bytes);
    const flags = streamed ? 0x0808 : 0x0800;
    const nameBytes = Buffer.from(name);
    const sizes = [crc32(bytes), packed.length, bytes.length];
    const about = [...short(20), ...short(flags), ...short(stored ? 0 : 8), ...long(0)];
    const known = (streamed ? [0, 0, 0] : sizes).flatMap(long);
    const nameLength = short(nameBytes.length);
    const file = [
      Buffer.from([...latin1('PK\x03\x04'), ...about, ...known, ...nameLength, ...short(0)]),
      nameBytes,
      packed,
      ...(streamed ? [Buffer.from([...latin1('PK\x07\x08'), ...sizes.flatMap(long)])] : []),
    ];
    const head = [...latin1('PK\x01\x02'), ...short(20), ...about, ...sizes.flatMap(long)];
    const rest = [...nameLength, ...new Array(12).fill(0), ...long(offset)];
    directory.push(Buffer.from([...head, ...rest]), nameBytes);
    files.push(...file);
    offset += file.reduce((length, part) => length + part.length, 0);
  }
  const directoryBytes = Buffer.concat(directory);
  const counts = [...long(0), ...short(entries.length), ...short(entries.length)];
  const place = [...long(directoryBytes.length), ...long(offset), ...short(0)];
  const end = Buffer.from([...latin1('PK\x05\x06'), ...counts, ...place]);
  return Buffer.concat([...files, directoryBytes, end]);
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** The bytes of a number of two bytes, the lowest first. */
function short(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff];
}

/** The bytes of a number of four bytes, the lowest first. */
function long(value: number): number[] {
  return [...short(value), ...short(value >>> 16)];
}
