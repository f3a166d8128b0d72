/** Type ids of PostgreSQL (pg_type). */
const oids = { text: 25, int4: 23, bytea: 17 } as const;
const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/**
 * A one-dimensional array in PostgreSQL's binary format (`array_send`): pg passes a Buffer on
 * unchanged. As text, each element would be quoted here and parsed there, which costs several times
 * as much.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const bytes = allocate(oids.text, sizes, values.includes(null));
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(value === null ? nullLength : (sizes[index] ?? 0), at);
    if (value !== null) at += bytes.write(value, at);
  }
  return bytes;
}

/** As `textArray`, of 32-bit integers. */
export function intArray(values: readonly number[]): Buffer {
  const intBytes = 4;
  const sizes = values.map(() => intBytes);
  const bytes = allocate(oids.int4, sizes, false);
  let at = headerBytes;
  for (const value of values) at = bytes.writeInt32BE(value, bytes.writeInt32BE(intBytes, at));
  return bytes;
}

/** As `textArray`, of byte strings. */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const sizes = values.map(({ length }) => length);
  const bytes = allocate(oids.bytea, sizes, false);
  let at = headerBytes;
  for (const value of values) {
    at = bytes.writeInt32BE(value.length, at);
    bytes.set(value, at);
    at += value.length;
  }
  return bytes;
}

/** Writes the header: dimensions, presence of nulls, element type, length and lower bound. */
function allocate(oid: number, sizes: readonly number[], hasNull: boolean): Buffer {
  const size = sizes.reduce((sum, each) => sum + lengthBytes + each, headerBytes);
  const bytes = Buffer.allocUnsafe(size);
  const header = [1, hasNull ? 1 : 0, oid, sizes.length, 1];
  header.reduce((at, value) => bytes.writeInt32BE(value, at), 0);
  return bytes;
}
