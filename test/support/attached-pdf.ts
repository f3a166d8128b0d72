import { deflateSync } from 'node:zlib';
import { writePdf } from './write-pdf.ts';

/** A PDF stream object with these bytes. `length` replaces its true length. */
export function streamOf(
  bytes: Buffer,
  entries = '',
  length: number | string = bytes.length,
): Buffer {
  const head = `<< /Length ${length} ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

/** A PDF stream object compressed in the usual way (Flate). */
export function packedStreamOf(bytes: Buffer, entries = ''): Buffer {
  return streamOf(deflateSync(bytes), `/Filter /FlateDecode ${entries}`);
}

/** A PDF whose catalogue has one attached file, object 3. */
export function attaching(
  file: string | Buffer,
  more: readonly (string | Buffer)[] = [],
  entries = '',
): Buffer {
  return writePdf([`<< /AF [2 0 R] ${entries} >>`, '<< /EF << /F 3 0 R >> >>', file, ...more]);
}

/** An incremental update of a file: new objects, then a new cross-reference table. */
export function revised(
  before: Buffer,
  table: string,
  objects: Buffer = Buffer.alloc(0),
  entries = '',
): Buffer {
  const previous = [...before.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  const root = /\/Root (\d+) 0 R/.exec(before.toString('latin1'))?.[1];
  const trailer = `trailer\n<< /Root ${root} 0 R /Prev ${previous} ${entries} >>\n`;
  const start = before.length + objects.length;
  const end = Buffer.from(`xref\n${table}${trailer}startxref\n${start}\n%%EOF\n`);
  return Buffer.concat([before, objects, end]);
}

/** A row of a cross-reference table for an object at this offset; `free` is one for a deleted object. */
export const placed = (at: number) => `${String(at).padStart(10, '0')} 00000 n \n`;
export const free = '0000000000 00001 f \n';

export function numbered(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${number} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
}

/** An incremental update that replaces one object. */
export function replacing(before: Buffer, number: number, content: Buffer): Buffer {
  return revised(before, `${number} 1\n${placed(before.length)}`, numbered(number, content));
}
