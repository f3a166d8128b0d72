import { deflateSync } from 'node:zlib';
import { attaching, numbered, packedStreamOf, streamOf } from './attached-pdf.ts';
import { writePdf } from './write-pdf.ts';

/** PDFs of less than 8 MiB that make a reader repeat work, by the work. */
export function hostileTables(): Readonly<Record<string, Buffer>> {
  return {
    'tables that name one packed table': namingOneTable(4_100),
    'heads of one packed table in a comment': headsOfOneTable(),
    'objects that share one comment': sharingComment(7_000),
    'packed objects that share one comment': sharingPackedComment(),
    'packed objects with a predictor': predictedObjects(16),
    'tables that share one comment': tablesSharingComment(),
    'keywords that share one comment': attaching(packedStreamOf(Buffer.from('x')), [
      `(\n${'stream%'.repeat(900)}${'%'.repeat(7_000_000)}\n)`,
    ]),
    'lengths that share one comment': attaching(packedStreamOf(Buffer.from('x')), [
      `(\n${` obj<<${'/Length%'.repeat(500)}\nstream\nx\nendstream `.repeat(990)})`,
    ]),
    'rows of an unknown kind': attaching(
      packedStreamOf(Buffer.from('x')),
      Array.from({ length: 200 }, () => streamOf(deflateSync(Buffer.alloc(150_000, 9)), filtered)),
    ),
    'a name without an end': writePdf([`<< /${'x'.repeat(7_900_000)} 1 >>`]),
    'strings that are nested': writePdf([`<< /AF ${'('.repeat(9)}${'(x'.repeat(3_900_000)} >>`]),
  };
}

const filtered = '/Filter /FlateDecode';

/** A cross-reference stream of 1 MiB with a predictor, and without rows. */
function packedTable(): Buffer {
  const entries = '/Type /XRef /W [1 0 0] /Index [0 0] /DecodeParms << /Predictor 12 /Columns 1 >>';
  return packedStreamOf(Buffer.alloc(1_024 * 1_024), entries);
}

/** Tables without rows, each behind the other, that all name the same stream beside them. */
function namingOneTable(count: number): Buffer {
  const beginning = Buffer.concat([Buffer.from('%PDF-1.7\n'), numbered(1, packedTable())]);
  const tables: string[] = [];
  let [at, previous] = [beginning.length, ''];
  for (let table = 0; table < count; table += 1) {
    const text = `xref\n0 0\ntrailer\n<< /XRefStm 9 ${previous} >>\n`;
    tables.push(text);
    previous = `/Prev ${at}`;
    at += text.length;
  }
  const last = at - (tables.at(-1)?.length ?? 0);
  return Buffer.concat([beginning, Buffer.from(`${tables.join('')}startxref\n${last}\n%%EOF\n`)]);
}

/** The same with a table of its own head for each, of which the others are a comment. */
function headsOfOneTable(): Buffer {
  const heads = '1 0 obj%'.repeat(3_000);
  const entries = '/Type /XRef /W [1 0 0] /Index [0 90000] /Size 90000';
  const stream = packedStreamOf(Buffer.alloc(90_000), entries);
  const beginning = Buffer.concat([
    Buffer.from(`%PDF-1.7\n${heads}\n`),
    stream,
    Buffer.from('\nendobj\n'),
  ]);
  const tables: string[] = [];
  let [at, previous] = [beginning.length, ''];
  for (let table = 0; table < 3_000; table += 1) {
    const text = `xref\n0 0\ntrailer\n<< /XRefStm ${9 + 8 * table} ${previous} >>\n`;
    tables.push(text);
    previous = `/Prev ${at}`;
    at += text.length;
  }
  const last = at - (tables.at(-1)?.length ?? 0);
  return Buffer.concat([beginning, Buffer.from(`${tables.join('')}startxref\n${last}\n%%EOF\n`)]);
}

/** Objects that begin in one line, so that the heads after the first one are a comment. */
function sharingComment(count: number): Buffer {
  const heads = Array.from({ length: count }, (_, index) => `${index + 10} 0 obj%`);
  const places: number[] = [];
  let at = 9;
  for (const head of heads) {
    places.push(at);
    at += head.length;
  }
  const object = `${heads.join('')}${'%'.repeat(7_000_000)}\n<< >>\nendobj\n`;
  const catalogue = `1 0 obj\n<< /AF [${places.map((_, index) => `${index + 10} 0 R`).join(' ')}] >>\nendobj\n`;
  const start = 9 + object.length + catalogue.length;
  const row = (place: number) => `${String(place).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n1 1\n${row(9 + object.length)}10 ${count}\n${places.map(row).join('')}`;
  return Buffer.from(
    `%PDF-1.7\n${object}${catalogue}${table}trailer\n<< /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
}

/** Numbers in an object stream that one long comment follows. */
function sharingPackedComment(): Buffer {
  const count = 20_000;
  const head = Array.from(
    { length: count },
    (_, index) => `${index + firstPacked} ${2 * index} `,
  ).join('');
  const content = Buffer.from(`${head}${'1%'.repeat(count)}${'%'.repeat(600_000)}\n`);
  const objects = [
    `<< /AF [${Array.from({ length: count }, (_, index) => `${index + firstPacked} 0 R`).join(' ')}] >>`,
    packedStreamOf(content, `/Type /ObjStm /N ${count} /First ${head.length}`),
  ];
  return withPackedObjects(objects, Array(count).fill(2));
}

/** Object streams of 1 MiB with a predictor, each with one object and each byte in a row of its own. */
function predictedObjects(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => index + 2);
  const streams = numbers.map((number) => {
    const head = `${firstPacked + number - 2} 0 `;
    const content = Buffer.alloc(512 * 1_024, 'x');
    content.write(`${head}<< >> `);
    const rows = Buffer.alloc(2 * content.length, 2);
    content.forEach((byte, at) => {
      rows.writeUInt8((byte - (content[at - 1] ?? 0)) & 255, 2 * at + 1);
    });
    const predictor = '/DecodeParms << /Predictor 12 /Columns 1 >>';
    return packedStreamOf(rows, `/Type /ObjStm /N 1 /First ${head.length} ${predictor}`);
  });
  const packed = numbers.map((number) => `${firstPacked + number - 2} 0 R`).join(' ');
  return withPackedObjects([`<< /AF [${packed}] >>`, ...streams], numbers);
}

const firstPacked = 100;

/**
 * A PDF of these objects, numbered from 1, the first being the catalogue. The objects from `firstPacked` on
 * are in the object streams of the numbers `containers`, at the next place in each.
 */
function withPackedObjects(
  objects: readonly (string | Buffer)[],
  containers: readonly number[],
): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const rows: Buffer[] = [];
  const addRow = (kind: number, place: number, index: number) => {
    const row = Buffer.alloc(6);
    row.writeUInt8(kind, 0);
    row.writeUIntBE(place, 1, 3);
    row.writeUInt16BE(index, 4);
    rows.push(row);
  };
  let at = 9;
  const add = (number: number, object: Buffer) => {
    const part = numbered(number, object);
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of objects.entries()) {
    addRow(1, at, 0);
    add(index + 1, Buffer.from(object));
  }
  const places = new Map<number, number>();
  for (const container of containers) {
    const index = places.get(container) ?? 0;
    addRow(2, container, index);
    places.set(container, index + 1);
  }
  const start = at;
  const index = `/Index [1 ${objects.length} ${firstPacked} ${containers.length}]`;
  const entries = `/Type /XRef /W [1 3 2] ${index} /Root 1 0 R`;
  add(objects.length + 1, packedStreamOf(Buffer.concat(rows), entries));
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

/** Tables whose table beside begins in one line with all others. */
function tablesSharingComment(): Buffer {
  const count = 3_000;
  const line = `${'xref%'.repeat(count)}${'%'.repeat(7_000_000)}\ntrailer\n<< >>\n`;
  const tables: string[] = [];
  let [at, previous] = [9 + line.length, ''];
  for (let table = 0; table < count; table += 1) {
    const text = `xref\n0 0\ntrailer\n<< /XRefStm ${9 + 5 * table} ${previous} >>\n`;
    tables.push(text);
    previous = `/Prev ${at}`;
    at += text.length;
  }
  const last = at - (tables.at(-1)?.length ?? 0);
  return Buffer.from(`%PDF-1.7\n${line}${tables.join('')}startxref\n${last}\n%%EOF\n`);
}
