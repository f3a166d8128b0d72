/** PostgreSQL types that `CopiedRows` can write. */
export type CopiedType =
  | 'text'
  | 'bytea'
  | 'boolean'
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'smallint[]'
  | 'integer[]';

export function isCopiedType(type: string): type is CopiedType {
  return Object.hasOwn(writers, type);
}

type CopiedValue = string | number | boolean | Uint8Array | readonly number[] | null;

const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const trailer = Buffer.from([0xff, 0xff]);
const nullLength = -1;
/** PostgreSQL collects a message before it reads rows from it. */
const chunkBytes = 65_536;
const utf8BytesPerUnit = 3;

/**
 * Rows in the binary format of `COPY … FROM STDIN (FORMAT binary)`, as the only value of that
 * statement. PostgreSQL takes them in a third of the time of an INSERT from arrays: it parses no
 * array, and writes whole pages to the WAL.
 */
export class CopiedRows {
  #bytes = Buffer.allocUnsafe(chunkBytes);
  #end = 0;

  constructor() {
    this.#end += signature.copy(this.#bytes, this.#end);
  }

  /** Adds a row. The values are in the order of the statement's columns. */
  add(types: readonly CopiedType[], values: readonly CopiedValue[]): void {
    this.#reserve(2);
    this.#int16(types.length);
    for (const [index, type] of types.entries()) {
      const value = values[index] ?? null;
      this.#reserve(4 + (value === null ? 0 : mostBytes(value)));
      if (value === null) this.#int32(nullLength);
      else this.#value(type, value);
    }
  }

  /** The rows in chunks, ended by the trailer. */
  *chunks(): Generator<Buffer> {
    for (let at = 0; at < this.#end; at += chunkBytes) {
      yield this.#bytes.subarray(at, Math.min(at + chunkBytes, this.#end));
    }
    yield trailer;
  }

  #value(type: CopiedType, value: NonNullable<CopiedValue>): void {
    const lengthAt = this.#end;
    this.#end += 4;
    // The caller's column types say which type of value belongs to which writer.
    this.#end = writers[type](this.#bytes, this.#end, value as never);
    this.#bytes.writeInt32BE(this.#end - lengthAt - 4, lengthAt);
  }

  #int16(value: number): void {
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/** Writes a value without its length, and returns the position after it. */
type Writer<Value> = (bytes: Buffer, at: number, value: Value) => number;

const writers: {
  readonly text: Writer<string>;
  readonly bytea: Writer<Uint8Array>;
  readonly boolean: Writer<boolean>;
} & { readonly [Type in 'smallint' | 'integer' | 'bigint']: Writer<number> } & {
  readonly [Type in 'smallint[]' | 'integer[]']: Writer<readonly number[]>;
} = {
  text: (bytes, at, value) => at + bytes.write(value, at),
  bytea: (bytes, at, value) => {
    bytes.set(value, at);
    return at + value.length;
  },
  boolean: (bytes, at, value) => bytes.writeInt8(value ? 1 : 0, at),
  smallint: (bytes, at, value) => bytes.writeInt16BE(value, at),
  integer: (bytes, at, value) => bytes.writeInt32BE(value, at),
  bigint: (bytes, at, value) => bytes.writeBigInt64BE(BigInt(value), at),
  'smallint[]': (bytes, at, values) => {
    let end = writeArrayHeader(bytes, at, 21, values.length);
    for (const value of values) end = bytes.writeInt16BE(value, bytes.writeInt32BE(2, end));
    return end;
  },
  'integer[]': (bytes, at, values) => {
    let end = writeArrayHeader(bytes, at, 23, values.length);
    for (const value of values) end = bytes.writeInt32BE(value, bytes.writeInt32BE(4, end));
    return end;
  },
};

/** Writes dimensions, presence of nulls, and element type; then length and lower bound. */
function writeArrayHeader(bytes: Buffer, at: number, oid: number, length: number): number {
  const header = length === 0 ? [0, 0, oid] : [1, 0, oid, length, 1];
  return header.reduce((end, value) => bytes.writeInt32BE(value, end), at);
}

const headerBytes = 20;
const elementBytes = 8;

function mostBytes(value: NonNullable<CopiedValue>): number {
  if (typeof value === 'string') return value.length * utf8BytesPerUnit;
  if (typeof value === 'number' || typeof value === 'boolean') return 8;
  if (value instanceof Uint8Array) return value.length;
  return headerBytes + value.length * elementBytes;
}
