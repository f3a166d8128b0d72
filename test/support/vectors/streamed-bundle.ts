import { deflateSync } from 'node:zlib';
import { packedStreamOf } from '../attached-pdf.ts';
import { sampleText } from '../sample-bundle.ts';
import { type Row, writeStreamedPdf } from '../write-streamed-pdf.ts';

/** Bytes of the bundle. */
export const plain = Buffer.from(sampleText());
/** Stream of the bundle, object 3. */
export const packed = packedStreamOf(plain);
/** Description of the attached file. */
export const file = '<< /EF << /F 3 0 R >> >>';

/** Deviations of a PDF with the catalogue, packed objects, the bundle and a table in a stream. */
export interface Streamed {
  /** The object stream, object 2. */
  readonly packs: Buffer;
  /** Row of object 9, the description of the file. */
  readonly inStream: Row;
  /** The number of the object whose place the row of object 3 has. */
  readonly place: number;
  /** Objects from 5 on. */
  readonly more: readonly string[];
  readonly extra: readonly Row[];
  readonly index: string;
  readonly widths: string;
  readonly bytes: Row;
  readonly length: string;
  readonly pack: (table: Buffer) => { readonly bytes: Buffer; readonly entries: string };
}

/** A PDF with the bundle, packed objects and a table in a stream. */
export function streamed(deviations: Partial<Streamed>): Buffer {
  const packs = packedStreamOf(Buffer.from(`9 0 ${file}`), '/Type /ObjStm /N 1 /First 4');
  const { more = [], inStream = [2, 2, 0], extra = [] } = deviations;
  const objects = ['<< /AF [9 0 R] >>', deviations.packs ?? packs, packed, ...more];
  const own = objects.length + 1;
  return writeStreamedPdf(objects, {
    index: `[1 ${own} 9 1${extra.length > 0 ? ` 10 ${extra.length}` : ''}]`,
    ...deviations,
    extra: [inStream, ...extra],
  });
}

/** Objects 0 to 4, of which the table states the number alone. */
export function sized(size: number): Buffer {
  const pdf = ['<< /AF [2 0 R] >>', file, packed];
  return writeStreamedPdf(pdf, { index: 'null', first: [0, 0, 0], entries: `/Size ${size}` });
}

/** PNG prediction: kind 0 leaves a row as it is, kind 2 has its difference to the row above. */
export function predicted(
  table: Buffer,
  {
    columns,
    kind,
    parms,
  }: { readonly columns: number; readonly kind: number; readonly parms: string },
) {
  const out: number[] = [];
  for (const [at, byte] of table.entries()) {
    if (at % columns === 0) out.push(kind);
    const above = kind === 0 ? 0 : (table[at - columns] ?? 0);
    out.push((byte - above) & 0xff);
  }
  const entries = parms.startsWith('[') ? '[<< /Predictor 12 /Columns 5 >>]' : `<< ${parms} >>`;
  return {
    bytes: deflateSync(Buffer.from(out)),
    entries: `/Filter /FlateDecode /DecodeParms ${entries}`,
  };
}
