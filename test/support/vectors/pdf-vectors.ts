import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import {
  attaching,
  free,
  numbered,
  packedStreamOf,
  placed,
  replacing,
  revised,
  streamOf,
} from '../attached-pdf.ts';
import { forgeryOf, oneBundle, severalBundles, withoutBundle } from '../crafted-pdfs.ts';
import { hiddenBundles } from '../hidden-bundles.ts';
import { sampleAttested, sampleText } from '../sample-bundle.ts';
import { writePdf } from '../write-pdf.ts';
import type { VectorInput } from './vector.ts';
import { careful } from './vector-bases.ts';

const samples = join(import.meta.dirname, '../../certificates/samples');
const text = sampleText();
const plain = Buffer.from(text);
const attestedText = sampleText({ attested: sampleAttested });

const vector = (id: string, about: string, pdf: Buffer): VectorInput => ({
  id: `pdf: ${id}`,
  about,
  certificateBase64: pdf.toString('base64'),
  options: careful,
});

/** Certificates: PDFs with one bundle, several, damaged ones or none. */
export function pdfVectors(): VectorInput[] {
  const crafted = (what: string, pdfs: Readonly<Record<string, Buffer>>) =>
    Object.entries(pdfs).map(([how, pdf]) =>
      vector(`${what}, ${how}`, `A PDF with ${what}: ${how}.`, pdf),
    );
  return [
    ...issued(),
    ...crafted('two bundles', { ...severalBundles, ...hiddenBundles }),
    ...crafted('one bundle', oneBundle),
    ...crafted('no usable bundle', withoutBundle),
    ...structures(),
    ...damages(),
  ];
}

function issued(): VectorInput[] {
  const file = (name: string) =>
    vector(
      name.replace('bundle/', ''),
      `A certificate, or a PDF as other programs rewrite it: ${name}.`,
      readFileSync(join(samples, name)),
    );
  return [
    ...[
      'certificate-attested.pdf',
      'certificate-template-1.pdf',
      'certificate-template-2.pdf',
      'certificate-template-3.pdf',
      'certificate-signed.pdf',
    ].map(file),
    ...['pdfkit.pdf', 'object-streams.pdf', 'linearized.pdf', 'unpacked.pdf'].map((name) =>
      file(`bundle/${name}`),
    ),
  ];
}

function structures(): VectorInput[] {
  const before = attaching(streamOf(Buffer.from('an older attachment')));
  const newer = numbered(3, streamOf(plain));
  const row = Buffer.from([1, 0, 0, 0, 0]);
  row.writeUInt32BE(before.length, 1);
  const beside = numbered(9, streamOf(row, '/Type /XRef /W [1 4 0] /Index [3 1]'));
  const entries = `/XRefStm ${before.length + newer.length}`;
  const hybrid = revised(before, `3 1\n${free}`, Buffer.concat([newer, beside]), entries);
  const file = '<< /EF << /F 3 0 R >> >>';
  const packed = packedStreamOf(plain);
  const escaped = writePdf(['<< /A#46 [2 0 R] >>', file, packed]);
  const bomb = deflateSync(Buffer.alloc(64 * 1_024 * 1_024));
  const of = (about: string, pdf: Buffer) =>
    vector(`structure: ${about}`, `A PDF in which ${about}.`, pdf);
  const nested = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
  return [
    of('a bundle of version 4 is attached', attaching(packedStreamOf(Buffer.from(attestedText)))),
    of('a hybrid table hides the bundle', hybrid),
    of(
      'the tables go round in circles',
      writePdf(['<< /AF [2 0 R] >>', file, packed], { previous: 'self' }),
    ),
    of(
      'the length of the stream stands elsewhere',
      attaching(streamOf(plain, '', '4 0 R'), [`${plain.length}`]),
    ),
    of('the length of the stream is its own', attaching(streamOf(plain, '', '3 0 R'))),
    of('the length of the stream is too short', attaching(streamOf(plain, '', 100))),
    of('the length of the stream is too long', attaching(streamOf(plain, '', plain.length + 40))),
    of('the length of the stream is negative', attaching(streamOf(plain, '', -1))),
    of('the bundle has a byte order mark', attaching(streamOf(Buffer.from(`\ufeff${text}`)))),
    of(
      'the bundle is malformed',
      attaching(packedStreamOf(Buffer.from(text.replace('"network"', '"netw0rk"')))),
    ),
    of('the bundle is cut', attaching(packedStreamOf(plain.subarray(0, 1_500)))),
    of(
      'the bundle stands twice, with other spaces',
      attaching(
        packedStreamOf(plain),
        [packedStreamOf(Buffer.from(JSON.stringify(JSON.parse(text)))), '<< /EF << /F 4 0 R >> >>'],
        '/Names << /EmbeddedFiles << /Names [(b) 5 0 R] >> >>',
      ),
    ),
    of(
      'the bundle stands twice, once with a byte order mark',
      attaching(
        packed,
        [packedStreamOf(Buffer.from(`\ufeff${text}`)), '<< /EF << /F 4 0 R >> >>'],
        '/Names << /EmbeddedFiles << /Names [(b) 5 0 R] >> >>',
      ),
    ),
    of(
      'the bundle stands twice, with members in another order',
      attaching(
        packedStreamOf(plain),
        [
          packedStreamOf(
            Buffer.from(
              JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())),
            ),
          ),
          '<< /EF << /F 4 0 R >> >>',
        ],
        '/Names << /EmbeddedFiles << /Names [(b) 5 0 R] >> >>',
      ),
    ),
    of('the name of an entry is written with an escape', escaped),
    of(
      'the attachment stands in the tree of names alone',
      writePdf([
        '<< /Names << /EmbeddedFiles << /Names [(proof-bundle.json) 2 0 R] >> >> >>',
        file,
        packed,
      ]),
    ),
    of(
      'the tree of names has branches',
      writePdf([
        '<< /Names 4 0 R >>',
        file,
        packed,
        '<< /EmbeddedFiles << /Kids [5 0 R] >> >>',
        '<< /Limits [(a) (b)] /Names [(a \\) \\( b) 2 0 R] >>',
      ]),
    ),
    of(
      'the tree of names goes round in circles',
      writePdf([
        '<< /Names << /EmbeddedFiles 4 0 R >> >>',
        file,
        packed,
        '<< /Kids [4 0 R 4 0 R] >>',
      ]),
    ),
    of(
      'the bundle is attached to a page alone',
      writePdf(['<< /Pages << /Kids [<< /AF [2 0 R] >>] >> >>', file, packed]),
    ),
    of('nothing names the bundle', writePdf(['<< >>', file, packed])),
    of('the bundle was deleted by an update', revised(attaching(packed), `3 1\n${free}`)),
    of(
      'the attachment was deleted by an update',
      replacing(attaching(packed), 1, Buffer.from('<< >>')),
    ),
    of(
      'the bundle was put in by an update',
      revised(before, `3 1\n${placed(before.length)}`, newer),
    ),
    of(
      'a forgery was put in by an update',
      replacing(attaching(packed), 3, packedStreamOf(Buffer.from(forgeryOf(text)))),
    ),
    of(
      'an update adds a note',
      replacing(attaching(packed, ['<< >>']), 4, Buffer.from('<< /Note (x) >>')),
    ),
    of(
      'an attached image is packed in another way',
      attaching(
        packed,
        [streamOf(Buffer.from('x'), '/Filter /DCTDecode'), '<< /EF << /F 4 0 R >> >>'],
        '/Names << /EmbeddedFiles << /Names [(b) 5 0 R] >> >>',
      ),
    ),
    of(
      'an image that is not attached is packed in another way',
      attaching(packed, [streamOf(Buffer.from('x'), '/Filter /DCTDecode')]),
    ),
    of(
      'a packed stream beside the bundle is damaged',
      attaching(packed, [
        streamOf(deflateSync(Buffer.alloc(900, 'ab')).subarray(0, 12), '/Filter /FlateDecode'),
      ]),
    ),
    of(
      'a packed stream unfolds to 64 MiB',
      attaching(packed, [streamOf(bomb, '/Filter /FlateDecode')]),
    ),
    of('the bundle unfolds to 64 MiB', attaching(streamOf(bomb, '/Filter /FlateDecode'))),
    of('arrays are nested deeply', writePdf([`<< /AF ${nested('[', ']')} >>`, file, packed])),
    of(
      'dictionaries are nested deeply',
      writePdf([`<< /AF ${nested('<</A', '>>')} >>`, file, packed]),
    ),
    of(
      'there are 101 attached files',
      writePdf([
        `<< /AF [${Array.from({ length: 101 }, (_, at) => `<< /EF << /F ${at + 2} 0 R >> >>`).join('')}] >>`,
        packed,
        ...Array.from({ length: 100 }, (_, n) => streamOf(Buffer.from(`${n}`))),
      ]),
    ),
    of('bytes stand before the header', shifted(attaching(packed), 'x')),
    of('bytes stand after the end', Buffer.concat([attaching(packed), Buffer.from('\n\n')])),
    of(
      '2,000 bytes stand after the end',
      Buffer.concat([attaching(packed), Buffer.alloc(2_000, '\n')]),
    ),
    of(
      'an entry names a security handler',
      Buffer.from(
        attaching(packed).toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Encrypt 2 0 R'),
        'latin1',
      ),
    ),
  ];
}

/** The same file with bytes in front, so that its tables are wrong. */
function shifted(pdf: Buffer, bytes: string): Buffer {
  return Buffer.concat([Buffer.from(bytes), pdf]);
}

function damages(): VectorInput[] {
  const pdf = attaching(packedStreamOf(plain));
  const latin = pdf.toString('latin1');
  const of = (about: string, changed: string) =>
    vector(`damage: ${about}`, `A PDF in which ${about}.`, Buffer.from(changed, 'latin1'));
  return [
    of('the end is missing', latin.slice(0, -40)),
    of('the second half is missing', latin.slice(0, latin.length / 2)),
    of('the header is missing', latin.slice(9)),
    of('startxref leads nowhere', latin.replace(/startxref\n\d+/, 'startxref\n99999999')),
    of('startxref leads to another place', latin.replace(/startxref\n\d+/, 'startxref\n10')),
    of(
      'a row of the table leads to another place',
      latin.replace(/\n(\d{10}) 00000 n/, '\n0000000000 00000 n'),
    ),
    of('the table is a row too short', latin.replace(/xref\n0 \d+/, 'xref\n0 99')),
    of('the trailer has no root', latin.replace('/Root', '/Toor')),
    of('the trailer is missing', latin.replace('trailer', 'reliart')),
    of('the root is an array', latin.replace('<< /AF [2 0 R]  >>', '[ /AF [2 0 R]  ]')),
    of(
      'a dictionary does not end',
      latin.replace('<< /EF << /F 3 0 R >> >>', '<< /EF << /F 3 0 R >>   '),
    ),
    of(
      'a dictionary has an entry twice',
      latin.replace('<< /AF [2 0 R]  >>', '<< /AF 0 /AF [2 0 R] >>'),
    ),
    of('a byte of the packed bundle is changed', latin.replace(/(stream\n[\s\S]{300})./, '$1#')),
    of('the keyword endstream is missing', latin.replace('endstream', 'endstraem')),
    of('the keyword obj is missing', latin.replace('3 0 obj', '3 0 jbo')),
    of('the object has another number', latin.replace('3 0 obj', '4 0 obj')),
  ];
}
