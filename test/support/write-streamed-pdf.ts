/** Kind, place or object stream, and generation or index of an object (ISO 32000-1, table 18). */
export type Row = readonly [kind: number, second: number, third: number];

/** Deliberate deviations of a PDF with a cross-reference stream. */
export interface Streaming {
  /** Row of object 0. Without it the rows begin with object 1. */
  readonly first?: Row;
  /** Rows after those of the objects and the stream itself. */
  readonly extra?: readonly Row[];
  /** Number of the object whose place the row of object 3 states. */
  readonly place?: number;
  readonly index: string;
  readonly entries?: string;
  /** Replaces the stated widths of the rows. */
  readonly widths?: string;
  /** Widths of the rows. */
  readonly bytes?: Row;
  readonly length?: string;
  readonly pack?: (table: Buffer) => { readonly bytes: Buffer; readonly entries: string };
}

/** Writes a PDF with these objects, numbered from 1, and a cross-reference stream as the last one. */
export function writeStreamedPdf(
  objects: readonly (string | Buffer)[],
  streaming: Streaming,
): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  const end = () => parts.reduce((length, part) => length + part.length, 0);
  for (const [index, object] of objects.entries()) {
    places.push(end());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const start = end();
  places.push(start);
  const { first, extra = [], bytes = [1, 4, 0], pack } = streaming;
  const own = places.map(
    (at, index): Row => [1, index === 2 ? (places[(streaming.place ?? 3) - 1] ?? 0) : at, 0],
  );
  const hasThird = extra.some(([, , third]) => third > 0);
  const widths: Row = hasThird ? [1, 4, 1] : bytes;
  const table = Buffer.concat(
    [...(first === undefined ? [] : [first]), ...own, ...extra].map((row) => written(row, widths)),
  );
  const content = pack?.(table) ?? { bytes: table, entries: '' };
  const length = streaming.length ?? content.bytes.length;
  parts.push(
    Buffer.from(
      `${places.length} 0 obj\n<< /Type /XRef /W ${streaming.widths ?? `[${widths.join(' ')}]`} ` +
        `/Index ${streaming.index} /Root 1 0 R /Length ${length} ${content.entries} ` +
        `${streaming.entries ?? ''} >>\nstream\n`,
    ),
    content.bytes,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

function written(row: Row, widths: Row): Buffer {
  return Buffer.concat(
    row.map((value, index) => {
      const width = widths[index] ?? 0;
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(BigInt(value));
      return bytes.subarray(8 - width);
    }),
  );
}
