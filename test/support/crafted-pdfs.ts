import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { shareBundle } from '../../src/certificates/build-bundle.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { attaching, free, packedStreamOf, replacing, revised, streamOf } from './attached-pdf.ts';
import { sampleBundle, sampleText } from './sample-bundle.ts';
import { differenced, differencing } from './tiff-prediction.ts';
import { writePdf } from './write-pdf.ts';

const samples = join(import.meta.dirname, '../certificates/samples/bundle');
const sample = (name: string) => readFileSync(join(samples, name));

const text = sampleText();
const plain = Buffer.from(text);

const forged = Buffer.from(forgeryOf(text));

/** A forgery that anybody can make: another name and a recomputed checksum. */
export function forgeryOf(genuine: string): string {
  const { checksum: _, ...value } = JSON.parse(genuine);
  value.certificate.organisationName = 'Example Bank AG';
  return `${JSON.stringify({ ...value, checksum: bundleChecksum(value) }, null, 2)}\n`;
}

/** A certificate with a second attached file beside the genuine one. */
function withSecond(second: Buffer, entries: string, more: readonly (string | Buffer)[] = []) {
  return attaching(packedStreamOf(plain), [second, '<< /EF << /F 4 0 R >> >>', ...more], entries);
}

const asAttachment = '/Names << /EmbeddedFiles << /Names [(other.txt) 5 0 R] >> >>';
const second = (stream: Buffer) => withSecond(stream, asAttachment);

/** Bytes in zlib format without compression, so that texts in them stay readable. */
const stored = (bytes: Buffer) => deflateSync(bytes, { level: 0 });

function reordered(bundle: Buffer): Buffer {
  const { format, ...rest } = JSON.parse(bundle.toString());
  return Buffer.from(JSON.stringify({ ...rest, format }));
}

function renamed(bundle: Buffer, name: string): Buffer {
  return Buffer.from(bundle.toString().replace('Example Bank AG', name));
}

/** PDFs with a second bundle, by the way it is hidden. */
export const severalBundles: Readonly<Record<string, Buffer>> = {
  'replaced by an incremental update': replacing(
    attaching(packedStreamOf(plain)),
    3,
    packedStreamOf(forged),
  ),
  'replaced by an update, neither of them packed': replacing(
    attaching(streamOf(forged)),
    3,
    streamOf(plain),
  ),
  'replaced by an update of a file with streams of objects': replacing(
    sample('object-streams.pdf'),
    attachedIn('object-streams.pdf'),
    packedStreamOf(forged),
  ),
  'replaced by an update of a linearized file': replacing(
    sample('linearized.pdf'),
    attachedIn('linearized.pdf'),
    packedStreamOf(forged),
  ),
  'replaced by an update that names another file': revised(
    attaching(packedStreamOf(plain), ['<< /EF << /F 5 0 R >> >>', packedStreamOf(forged)]),
    '',
  ),
  'deleted by an update, beside another one': revised(
    second(packedStreamOf(forged)),
    `4 1\n${free}`,
  ),
  'a second file under any name': second(packedStreamOf(forged)),
  'beside a first file whose keyword `stream` is damaged': Buffer.from(
    second(packedStreamOf(forged)).toString('latin1').replace('\nstream', '\n\0\0tream'),
    'latin1',
  ),
  'a second file of the document': withSecond(packedStreamOf(forged), '/AF [2 0 R 5 0 R]'),
  'a second file of a page': withSecond(
    packedStreamOf(forged),
    '/Pages << /Kids [<< /AF [5 0 R] >>] >>',
  ),
  'a second file in a note': withSecond(
    packedStreamOf(forged),
    '/Pages << /Kids [<< /Annots [<< /Subtype /FileAttachment /FS 5 0 R >>] >>] >>',
  ),
  'a second file that nothing names': withSecond(packedStreamOf(forged), ''),
  'two names for different streams': writePdf([
    '<< /AF [2 0 R] >>',
    '<< /EF << /F 3 0 R /UF 4 0 R >> >>',
    packedStreamOf(plain),
    packedStreamOf(forged),
  ]),
  'one of two streams under the same key, predicted as TIFF images are': writePdf([
    '<< /AF [2 0 R] >>',
    '<< /EF << /F 4 0 R /F 3 0 R >> >>',
    packedStreamOf(plain),
    streamOf(deflateSync(differenced(forged)), differencing()),
  ]),
  'the form for sharing beside the whole': second(
    packedStreamOf(Buffer.from(shareBundle(sampleBundle()))),
  ),
  'not UTF-8': second(packedStreamOf(Buffer.from(forged.toString(), 'latin1'))),
  'written with escapes': second(
    packedStreamOf(Buffer.from(forged.toString().replace('proofmark/b', 'proof\\u006dark\\/b'))),
  ),
  'a damaged one': second(streamOf(deflateSync(forged).subarray(0, 1_200), '/Filter /FlateDecode')),
  'with a wrong checksum of its packing': second(
    streamOf(
      Buffer.concat([deflateSync(forged).subarray(0, -4), Buffer.alloc(4)]),
      '/Filter /FlateDecode',
    ),
  ),
  'its filter written with escapes': second(
    streamOf(deflateSync(forged), '/Filter /Fl#61teDecode'),
  ),
  'its filter somewhere else': withSecond(
    streamOf(deflateSync(forged), '/Filter 6 0 R'),
    asAttachment,
    ['/FlateDecode'],
  ),
  'its filter in a list, with parameters': second(
    streamOf(deflateSync(forged), '/Filter [/FlateDecode] /DecodeParms [null]'),
  ),
  'its filter before any other entry': second(
    streamOf(deflateSync(forged), '/Filter /FlateDecode /Anything (x)'),
  ),
  'its length somewhere else, with an end of a stream in it': withSecond(
    streamOf(stored(reordered(renamed(forged, 'endstream'))), '/Filter /FlateDecode', '6 0 R'),
    asAttachment,
    [`${stored(reordered(renamed(forged, 'endstream'))).length}`],
  ),
  'in what seems to be a stream that begins before it': hiddenInAnother(),
  'behind a line break of one kind alone': second(
    Buffer.from(
      streamOf(deflateSync(forged), '/Filter /FlateDecode')
        .toString('latin1')
        .replace('stream\n', 'stream\r'),
      'latin1',
    ),
  ),
  'written as hexadecimal digits': second(
    streamOf(Buffer.from(`${forged.toString('hex')}>`), '/Filter /ASCIIHexDecode'),
  ),
  'packed twice': second(
    streamOf(deflateSync(deflateSync(forged)), '/Filter [/FlateDecode /FlateDecode]'),
  ),
  'predicted as images are': second(streamOf(deflateSync(predicted(forged)), predicting())),
  'behind a space': second(opened('stream \n')),
  'behind a comment': second(opened('stream%x\n')),
  'on the line of the keyword': second(opened('stream ')),
  'padded until it is too large': second(
    packedStreamOf(Buffer.from(forged.toString().padStart(1_200_000))),
  ),
  'padded and not packed': second(streamOf(Buffer.from(forged.toString().padStart(1_200_000)))),
  'behind a thousand streams': writePdf([
    '<< /AF [2 0 R 1005 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    packedStreamOf(plain),
    ...Array.from({ length: 1_000 }, () => streamOf(Buffer.from('x'))),
    '<< /EF << /F 1006 0 R >> >>',
    packedStreamOf(forged),
  ]),
  'behind more than anybody unpacks': writePdf([
    '<< /AF [2 0 R 4 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    packedStreamOf(plain),
    '<< /EF << /F 205 0 R >> >>',
    ...Array.from({ length: 200 }, () => packedStreamOf(Buffer.alloc(255 * 1_024))),
    packedStreamOf(forged),
  ]),
};

function opened(keyword: string): Buffer {
  const stream = packedStreamOf(forged).toString('latin1').replace('stream\n', keyword);
  return Buffer.from(stream, 'latin1');
}

/** A comment opens a stream that seems to end where the second file ends. */
function hiddenInAnother(): Buffer {
  const hidden = packedStreamOf(forged);
  const opening = `% 9 0 obj << /Length ${hidden.length - '\nendstream'.length + 16} >>\n%stream\n`;
  const pdf = writePdf([
    '<< /AF [2 0 R 4 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    packedStreamOf(plain),
    '<< /EF << /F 5 0 R >> >>',
    Buffer.concat([Buffer.from(opening), hidden]),
  ]);
  return pdf;
}

/** Number of the attached file's object. */
function attachedIn(name: string): number {
  const before = sample(name).toString('latin1').split('/Type /EmbeddedFile')[0] ?? '';
  return Number([...before.matchAll(/(\d+) 0 obj/g)].at(-1)?.[1]);
}

/** PDFs with one bundle, by the content that resembles a second one. */
export const oneBundle: Readonly<Record<string, Buffer>> = {
  'by itself': attaching(packedStreamOf(plain)),
  'twice the same': second(packedStreamOf(plain)),
  'twice the same, packed and not': second(streamOf(plain)),
  'under two names': writePdf([
    '<< /AF [2 0 R 2 0 R] /Names << /EmbeddedFiles << /Names [(a) 2 0 R (b) 4 0 R] >> >> >>',
    '<< /EF << /F 3 0 R /UF 3 0 R >> >>',
    packedStreamOf(plain),
    '<< /EF << /F 3 0 R >> >>',
  ]),
  'beside what Acrobat writes about a signature': writePdf([
    '<< /AF [2 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    packedStreamOf(plain),
    '<< /Filter /Adobe.PPKLite /Prop_Build << /Filter << /Name /Adobe.PPKLite /R 131104 >> >> >>',
  ]),
  'beside an image predicted as TIFF images are': attaching(packedStreamOf(plain), [
    streamOf(
      deflateSync(differenced(Buffer.alloc(8_192, '\xff\xfe\x00', 'latin1'))),
      `/Subtype /Image /BitsPerComponent 8 ${differencing()}`,
    ),
    packedStreamOf(Buffer.from('q 8192 0 0 1 0 0 cm /Image Do Q')),
  ]),
  'beside an attached file of another kind': second(streamOf(Buffer.from('{"format": "x"}'))),
  'in a file that was updated elsewhere': replacing(
    second(streamOf(Buffer.from('a note'))),
    4,
    streamOf(Buffer.from('another note')),
  ),
  'put in the same again by an update': replacing(
    attaching(packedStreamOf(plain)),
    3,
    streamOf(plain),
  ),
  'added by an update': replacing(attaching(streamOf(Buffer.from('a draft'))), 3, streamOf(plain)),
  'with names in it that are words of a PDF': attaching(
    streamOf(Buffer.from(sampleText({ change: { fileName: 'stream (2) endstream.pdf' } }))),
  ),
};

/** PDFs without a readable bundle. */
export const withoutBundle: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a bundle by itself': plain,
  'a bundle beside a filter with a blank that is none': writePdf([
    '<< /AF [2 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    packedStreamOf(plain),
    '<< /Filter#A0/FlateDecode >>',
  ]),
  'no attachment': writePdf(['<< >>']),
  'an encrypted one': sample('encrypted.pdf'),
  'predicted as images are': attaching(streamOf(deflateSync(predicted(plain)), predicting())),
  'packed otherwise': attaching(
    streamOf(Buffer.from(`${plain.toString('hex')}>`), '/Filter /ASCIIHexDecode'),
  ),
  'too large': attaching(packedStreamOf(Buffer.from(text.padEnd(1_200_000)))),
  'not UTF-8': attaching(packedStreamOf(Buffer.from(forged.toString(), 'latin1'))),
};

export function predicting(): string {
  return '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 7 >>';
}

/** Rows of seven bytes, each as the difference to the row above (PNG predictor "up"). */
export function predicted(bytes: Buffer): Buffer {
  const rows = Array.from({ length: Math.floor(bytes.length / 7) }, (_, row) =>
    Array.from({ length: 7 }, (_, column) => {
      const at = 7 * row + column;
      return ((bytes[at] ?? 0) - (row > 0 ? (bytes[at - 7] ?? 0) : 0)) & 0xff;
    }),
  );
  return Buffer.from(rows.flatMap((row) => [2, ...row]));
}
