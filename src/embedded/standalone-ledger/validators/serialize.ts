import { lengthPrefix } from '../codec/hashes.ts';

/** A 32-bit field: its header, then the value. */
export function unsigned(header: number, value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(header, 0);
  bytes.writeUInt32BE(value, 1);
  return bytes;
}

/** A 64-bit field. */
export function unsignedLong(header: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(header, 0);
  bytes.writeBigUInt64BE(value, 1);
  return bytes;
}

/** A field of 32 bytes, from hex; its header has one byte or two. */
export function hash256(header: readonly number[], hex: string): Buffer {
  return Buffer.concat([Buffer.from(header), Buffer.from(hex, 'hex')]);
}

/** A field of variable length, from hex; its header has one byte or two. */
export function variable(header: readonly number[], hex: string): Buffer {
  const content = Buffer.from(hex, 'hex');
  return Buffer.concat([Buffer.from(header), lengthPrefix(content.length), content]);
}
