import { deflateSync } from 'node:zlib';
import { attaching, packedStreamOf, streamOf } from '../attached-pdf.ts';
import { sampleText } from '../sample-bundle.ts';
import { writePdf } from '../write-pdf.ts';
import type { VectorInput } from './vector.ts';
import { careful } from './vector-bases.ts';

const plain = Buffer.from(sampleText());
const packed = packedStreamOf(plain);
const file = '<< /EF << /F 3 0 R >> >>';

/** PDFs that are written in ways that lenient readers take, and strict ones do not. */
export function pdfWritingVectors(): VectorInput[] {
  const of = (about: string, pdf: Buffer): VectorInput => ({
    id: `pdf: writing: ${about}`,
    about: `A PDF in which ${about}.`,
    certificateBase64: pdf.toString('base64'),
    options: careful,
  });
  const begun = (begin: string) => attaching(replaced(packed, 'stream\n', begin));
  const ended = (end: string) => attaching(replaced(packed, '\nendstream', end));
  const filtered = (filter: string, more: string[] = []) =>
    attaching(streamOf(deflateSync(plain), filter), more);
  const plainWith = (entries: string) => attaching(streamOf(plain, entries));
  const counting = (more: string) =>
    streamOf(Buffer.concat([endingIn(0x0d), Buffer.from(more)]), '/Filter /FlateDecode');
  const entry = (written: string) => attaching(packed, [], `/Other ${written}`);
  return [
    of(
      'the length of the stream is a real number',
      attaching(streamOf(plain, '', `${plain.length}.0`)),
    ),
    of('the length of the stream has a sign', attaching(streamOf(plain, '', `+${plain.length}`))),
    of(
      'the length of the stream has zeros in front',
      attaching(streamOf(plain, '', `00${plain.length}`)),
    ),
    of('a CR alone is before the stream', begun('stream\r')),
    of('CR and LF are before the stream', begun('stream\r\n')),
    of('a space is before the stream', begun('stream \n')),
    of('nothing is between the stream and its end', ended('endstream')),
    of('a space is between the stream and its end', ended(' endstream')),
    of('two line breaks are between the stream and its end', ended('\n\nendstream')),
    of('three line breaks are between the stream and its end', ended('\n\n\nendstream')),
    of('the packed bytes end in CR, and LF is counted', attaching(counting('\n'))),
    of('the packed bytes end in CR, and CR and LF are counted', attaching(counting('\r\n'))),
    of('the packed bytes end in CR, and two LF are counted', attaching(counting('\n\n'))),
    of('the packed bytes end in CR, and a zero is counted', attaching(counting('\0'))),
    of('the filter stands in another object', filtered('/Filter 4 0 R', ['/FlateDecode'])),
    of('the filter is a list of one', filtered('/Filter [ /FlateDecode ]')),
    of('the name of the filter has an escape', filtered('/Filter /Fl#61teDecode')),
    of('the filter of an unpacked bundle is null', plainWith('/Filter null')),
    of('the filter of an unpacked bundle is an empty list', plainWith('/Filter []')),
    of(
      'an unpacked bundle states a predictor',
      plainWith('/DecodeParms << /Predictor 12 /Columns 4 >>'),
    ),
    of(
      'a packed bundle states that it has no predictor',
      filtered('/Filter /FlateDecode /DecodeParms << /Predictor 1 >>'),
    ),
    of(
      'the attached file is a reference to a reference',
      writePdf(['<< /AF [2 0 R] >>', '<< /EF << /F 4 0 R >> >>', packed, '3 0 R']),
    ),
    of(
      'the catalogue has an entry twice, first empty',
      writePdf(['<< /AF [] /AF [2 0 R] >>', file, packed]),
    ),
    of(
      'the catalogue has the same entry twice, once with an escape',
      writePdf(['<< /AF [2 0 R] /A#46 [2 0 R] >>', file, packed]),
    ),
    of(
      'the attached file has two streams under the same key',
      writePdf(['<< /AF [2 0 R] >>', '<< /EF << /F 9 0 R /F 3 0 R >> >>', packed]),
    ),
    of('the stream has its length twice', attaching(streamOf(plain, `/Length ${plain.length}`))),
    of('the trailer has its root twice', twoRoots()),
    of('an object does not end', replaced(attaching(packed), `${file}\nendobj`, `${file}\nendobi`)),
    of('an entry is a number without digits', entry('.')),
    of('an entry is a number with two signs', entry('--1')),
    of('entries are numbers in every form', entry('[0 +1 -1 1. .5 -.5 +0.50 007]')),
    of('an entry is a number of 31 digits', entry('1'.repeat(31))),
    of(
      'a row of the table has a place of nine digits',
      replaced(attaching(packed), '\n0000000009 ', '\n000000009 '),
    ),
    of('the header has another name', replaced(attaching(packed), '%PDF-', '%PDX-')),
    of(
      'a letter follows the place of the table',
      replaced(attaching(packed), '\n%%EOF', 'x\n%%EOF'),
    ),
  ];
}

/** The trailer is behind the table, so that all places stay right. */
function twoRoots(): Buffer {
  return replaced(attaching(packed), '/Root 1 0 R', '/Root 2 0 R /Root 1 0 R');
}

function replaced(bytes: Buffer, before: string, after: string): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(before, () => after),
    'latin1',
  );
}

/** The bundle with so many spaces after it that its packed bytes end in this one. */
function endingIn(last: number): Buffer {
  for (let spaces = 0; ; spaces += 1) {
    const bytes = deflateSync(Buffer.concat([plain, Buffer.alloc(spaces, ' ')]));
    if (bytes.at(-1) === last) return bytes;
  }
}
