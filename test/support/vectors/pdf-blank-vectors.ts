import { attaching, packedStreamOf, streamOf } from '../attached-pdf.ts';
import { sampleText } from '../sample-bundle.ts';
import { writePdf } from '../write-pdf.ts';
import type { VectorInput } from './vector.ts';
import { careful, resealed } from './vector-bases.ts';

const plain = Buffer.from(sampleText());
const packed = packedStreamOf(plain);
const usual = latin(attaching(packed));
const file = '<< /EF << /F 3 0 R >> >>';

/** Bytes that are white space in a PDF, in a programming language, or in both. */
const gaps = {
  ...{ 'a zero': '\0', 'a tab': '\t', 'a line feed': '\n', 'a form feed': '\f', 'a CR': '\r' },
  ...{ 'a space': ' ', 'a vertical tab': '\v', 'the byte 1C': '\x1c', 'the byte 1F': '\x1f' },
  ...{ 'the byte 85': '\x85', 'the byte A0': '\xa0', 'a byte order mark': '\xef\xbb\xbf' },
  ...{ 'a comment': '%1\n', 'a comment that ends in CR': '% 0 R\r', nothing: '' },
} as const;

type Gap = keyof typeof gaps;

const comments: readonly Gap[] = ['a comment', 'a comment that ends in CR'];
/** Zero and comments are white space in a PDF alone, a vertical tab in Python and JavaScript alone. */
const disputed: readonly Gap[] = ['a zero', 'a vertical tab', ...comments];
const inTable: readonly Gap[] = ['a zero', 'a tab', 'a form feed', ...comments];
const inLine: readonly Gap[] = [...inTable, 'a line feed', 'a CR'];
const inHeader: readonly Gap[] = [
  ...(['a vertical tab', 'the byte 1C', 'the byte 1F', 'the byte 85', 'the byte A0'] as const),
  ...(['a byte order mark', 'a comment'] as const),
];

type Place = readonly [place: string, gaps: readonly Gap[], write: (gap: string) => string];

/** Places of white space, the gaps there that verifiers have disagreed about, and the certificates. */
const places: readonly Place[] = [
  ['before the generation in a reference', disputed, (gap) => naming(`2${gap}0 R`)],
  ['before the R of a reference', disputed, (gap) => naming(`2 0${gap}R`)],
  ['before the generation in the head of an object', disputed, (gap) => inHead(`3${gap}0 obj`)],
  ['before the keyword obj', disputed, (gap) => inHead(`3 0${gap}obj`)],
  [
    'after the keyword startxref',
    [...disputed, 'nothing'],
    (gap) => usual.replace('startxref\n', `startxref${gap}`),
  ],
  [
    'after the keyword xref',
    [...disputed, 'nothing'],
    (gap) => usual.replace('xref\n0', `xref${gap}0`),
  ],
  ['before the number of rows', inLine, (gap) => inSection(`0${gap}4\n`)],
  ['after the number of rows', [...inTable, 'a space'], (gap) => inSection(`0 4${gap}`)],
  ['after the place in a row', inLine, (gap) => inRow(`$1${gap}00000 n \n`)],
  ['after the generation in a row', inLine, (gap) => inRow(`$1 00000${gap}n \n`)],
  ['between two rows', inTable, (gap) => inRow(`$1 00000 n${gap}`)],
  ['before the name of a filter', ['a zero'], (gap) => filtered(`/Filter${gap}/FlateDecode`)],
  ['after the name of a filter', ['a zero'], (gap) => filtered(`/Filter /FlateDecode${gap}/X 1`)],
  ['in a list of filters', ['a zero'], (gap) => filtered(`/Filter [${gap}/FlateDecode${gap}]`)],
  ['before a length', ['a zero', ...comments], (gap) => needingLength(`/Length${gap}`)],
  [
    'before the generation in a reference to the length',
    disputed,
    (gap) => latin(attaching(streamOf(plain, '', `4${gap}0 R`), [`${plain.length}`])),
  ],
  ['between the numbers of an object stream', inHeader, (gap) => packedFile(`9${gap}0${gap}`)],
];

/** Numbers and words that verifiers have read differently. */
function words(): Readonly<Record<string, string>> {
  const row = /\d{10} 00000 n \n(?=trailer)/;
  const measured = attaching(streamOf(plain, '', '4 0 R'), [`${plain.length}`]);
  return {
    'the head of an object has a sign': inHead('+3 0 obj'),
    'the head of an object has a number of 11 digits': inHead('00000000003 0 obj'),
    'the head of an object has a generation of six digits': inHead('3 000000 obj'),
    'a number follows the keyword obj at once': latin(measured).replace('4 0 obj\n', '\n4 0 obj'),
    'the place of the table has a sign': usual.replace('startxref\n', 'startxref\n+'),
    'the place of the table has 15 digits': usual.replace(/(?<=startxref\n)\d+/, (at) =>
      at.padStart(15, '0'),
    ),
    'the number of rows has a sign': inSection('0 +4\n'),
    'the number of rows has 11 digits': inSection('0 00000000004\n'),
    'an object is twice in the table, first rightly': usual.replace(
      row,
      (right) => `${right}3 1\n0000000009 00000 n \n`,
    ),
    'an object is twice in the table, first wrongly': usual.replace(
      row,
      (right) => `0000000009 00000 n \n3 1\n${right}`,
    ),
    'a vertical tab is after the type of an object stream': packedFile('9 0 ', '/Type /ObjStm\v'),
    'the type of an object stream is missing': packedFile('9 0 ', ''),
    'the type of a stream of cross-references is missing': packedFile('9 0 ').replace(
      '/Type /XRef',
      '',
    ),
    'a number in an object stream has a sign': packedFile('+9 0 '),
  };
}

/** Certificates with white space of every kind, and with bytes that are none. */
export function pdfBlankVectors(): VectorInput[] {
  const vector = (about: string, pdf: string): VectorInput => ({
    id: `pdf: syntax: ${about}`,
    about: `A PDF in which ${about}.`,
    certificateBase64: Buffer.from(pdf, 'latin1').toString('base64'),
    options: careful,
  });
  return [
    ...places.flatMap(([place, between, write]) =>
      between.map((gap) => vector(`${gap} is ${place}`, write(gaps[gap]))),
    ),
    ...Object.entries(words()).map(([about, pdf]) => vector(about, pdf)),
  ];
}

function latin(pdf: Buffer): string {
  return pdf.toString('latin1');
}

/** The catalogue names its attached file by this reference. */
function naming(reference: string): string {
  const catalogue = Buffer.from(`<< /AF [${reference}] >>`, 'latin1');
  return latin(writePdf([catalogue, file, packed]));
}

/** The head of the bundle's object. No object is behind it, so that only the table has another place. */
function inHead(head: string): string {
  const pdf = usual.replace('3 0 obj', head);
  return pdf.replace(/(?<=startxref\n)\d+/, `${pdf.lastIndexOf('xref\n0 4')}`);
}

function inSection(head: string): string {
  return usual.replace('xref\n0 4\n', `xref\n${head}`);
}

/** The last row but one. */
function inRow(row: string): string {
  return usual.replace(/(\d{10}) 00000 n \n(?=\d{10} 00000 n \ntrailer)/, row);
}

function filtered(entry: string): string {
  const stream = latin(packed).replace('/Filter /FlateDecode', entry);
  return latin(attaching(Buffer.from(stream, 'latin1')));
}

/** A plain bundle in which the keyword stands so often that only the stated length shows its end. */
function needingLength(begin: string): string {
  const text = resealed(sampleText(), (draft) => {
    draft.file.fileName = 'endstream '.repeat(20);
  });
  const stream = latin(streamOf(Buffer.from(text))).replace('/Length ', begin);
  return latin(attaching(Buffer.from(stream, 'latin1')));
}

/** The attached file, object 9, is packed in an object stream with this header. */
function packedFile(header: string, type = '/Type /ObjStm'): string {
  const entries = `${type} /N 1 /First ${header.length}`;
  const stream = packedStreamOf(Buffer.from(header + file, 'latin1'), entries);
  const faults = { packed: { number: 9, inStream: 2 } };
  return latin(writePdf(['<< /AF [9 0 R] >>', stream, packed], faults));
}
