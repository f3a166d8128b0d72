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
  const head = Array.from({ length: count }, (_, index) => `${index + 10} ${2 * index} `).join('');
  const content = Buffer.from(`${head}${'1%'.repeat(count)}${'%'.repeat(600_000)}\n`);
  const objects = [
    `<< /AF [${Array.from({ length: count }, (_, index) => `${index + 10} 0 R`).join(' ')}] >>`,
    packedStreamOf(content, `/Type /ObjStm /N ${count} /First ${head.length}`),
  ];
  const rows = Buffer.alloc(6 * (count + 2));
  const begin = Buffer.from('%PDF-1.7\n');
  const first = numbered(1, Buffer.from(objects[0] ?? ''));
  const second = numbered(2, Buffer.from(objects[1] ?? ''));
  const write = (index: number, kind: number, place: number, third: number) => {
    rows.writeUInt8(kind, 6 * index);
    rows.writeUIntBE(place, 6 * index + 1, 3);
    rows.writeUInt16BE(third, 6 * index + 4);
  };
  write(0, 1, begin.length, 0);
  write(1, 1, begin.length + first.length, 0);
  for (let index = 0; index < count; index += 1) write(index + 2, 2, 2, index);
  const entries = `/Type /XRef /W [1 3 2] /Index [1 2 10 ${count}] /Root 1 0 R`;
  const start = begin.length + first.length + second.length;
  const table = numbered(3, packedStreamOf(rows, entries));
  return Buffer.concat([begin, first, second, table, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
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
