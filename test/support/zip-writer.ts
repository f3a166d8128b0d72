import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | string;
  /** Puts sizes and checksum after the content, like programs that write in one pass. */
  readonly streamed?: boolean;
  readonly stored?: boolean;
}

/** Writes a zip file with these entries in order (APPNOTE 6.3.10). */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, streamed = false, stored = false } of entries) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const flags = streamed ? 0x0808 : 0x0800;
    const sizes = [crc32(bytes), packed.length, bytes.length];
    const about = [short(20), short(flags), short(stored ? 0 : 8), long(0)];
    const known = streamed ? [0, 0, 0] : sizes;
    const file = [
      Buffer.from('PK\x03\x04', 'latin1'),
      ...about,
      ...known.map(long),
      short(Buffer.byteLength(name)),
      short(0),
      Buffer.from(name),
      packed,
      ...(streamed ? [Buffer.from('PK\x07\x08', 'latin1'), ...sizes.map(long)] : []),
    ];
    directory.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      short(20),
      ...about,
      ...sizes.map(long),
      short(Buffer.byteLength(name)),
      Buffer.alloc(12),
      long(offset),
      Buffer.from(name),
    );
    files.push(...file);
    offset += file.reduce((length, part) => length + part.length, 0);
  }
  const directoryBytes = Buffer.concat(directory);
  const end = [Buffer.from('PK\x05\x06', 'latin1'), long(0), short(entries.length)];
  end.push(short(entries.length), long(directoryBytes.length), long(offset), short(0));
  return Buffer.concat([...files, directoryBytes, ...end]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
