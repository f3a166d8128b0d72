import { deflateSync } from 'node:zlib';
import { attaching, packedStreamOf, revised, streamOf } from '../attached-pdf.ts';
import { writePdf } from '../write-pdf.ts';
import {
  file,
  packed,
  plain,
  predicted,
  type Streamed,
  sized,
  streamed,
} from './streamed-bundle.ts';
import type { VectorInput } from './vector.ts';
import { careful } from './vector-bases.ts';

const mostBytes = 1_024 * 1_024;

/** PDFs at the limits of what verifiers read, and beyond them. */
export function pdfStrictVectors(): VectorInput[] {
  const all = {
    ...predictors(),
    ...sizes(),
    ...packedObjects(),
    ...others(),
    ...rows(),
    ...words(),
  };
  return Object.entries(all).map(([about, pdf]) => ({
    id: `pdf: strict: ${about}`,
    about: `A PDF in which ${about}.`,
    certificateBase64: pdf.toString('base64'),
    options: careful,
  }));
}

type Pdfs = Readonly<Record<string, Buffer>>;

function predictors(): Pdfs {
  const ofFile = (parms: string) =>
    attaching(packedStreamOf(plain, `/DecodeParms ${parms}`), ['12', '<< /Predictor 1 >>']);
  const ofTable = (parms: string, columns = 5, kind = 2) =>
    streamed({ pack: (table) => predicted(table, { columns, kind, parms }) });
  return {
    'a packed bundle has no predictor, as null': ofFile('<< /Predictor null >>'),
    'a packed bundle has no predictor, in a list': ofFile('[<< /Predictor 1 >>]'),
    'a packed bundle has the predictor 1.0': ofFile('<< /Predictor 1.0 >>'),
    'a packed bundle has an unknown predictor': ofFile('<< /Predictor 3 >>'),
    'a packed bundle has the predictor of images': ofFile('<< /Predictor 12 /Columns 4 >>'),
    'the predictor stands in another object': ofFile('<< /Predictor 4 0 R >>'),
    'the parameters are null': ofFile('null'),
    'the parameters are a list of null': ofFile('[null]'),
    'the parameters are an empty list': ofFile('[]'),
    'the parameters are a list of two': ofFile('[null null]'),
    'the parameters are a list in a list': ofFile('[[null]]'),
    'the parameters are a name': ofFile('/None'),
    'the parameters are a string': ofFile('(none)'),
    'the table has the predictor 12': ofTable('/Predictor 12 /Columns 5'),
    'the table has the predictor 10': ofTable('/Predictor 10 /Columns 5', 5, 0),
    'the table has the predictor 15': ofTable('/Predictor 15 /Columns 5'),
    'the table has the predictor 9': ofTable('/Predictor 9 /Columns 5'),
    'the table has the predictor 16': ofTable('/Predictor 16 /Columns 5'),
    'the table has a predictor without columns': ofTable('/Predictor 12', 1),
    'the table has a predictor with columns that are null': ofTable(
      '/Predictor 12 /Columns null',
      1,
    ),
    'the table has a predictor with no column': ofTable('/Predictor 12 /Columns 0', 1),
    'the table has a predictor with a sign': ofTable('/Predictor +12 /Columns +5'),
    'the table has an unknown kind of row': ofTable('/Predictor 12 /Columns 5', 5, 1),
    'the last row of the predicted table is incomplete': ofTable('/Predictor 12 /Columns 6', 6),
    'the predictor of the table stands in a list': ofTable('[]', 5),
  };
}

function sizes(): Pdfs {
  const beside = (stream: Buffer) =>
    attaching(
      packed,
      [stream, '<< /EF << /F 4 0 R >> >>'],
      '/Names << /EmbeddedFiles << /Names [(b) 5 0 R] >> >>',
    );
  const unnamed = (stream: Buffer) => attaching(packed, [stream]);
  const zeros = (bytes: number) => Buffer.alloc(bytes);
  const json = (bytes: number) => Buffer.from('{}'.padEnd(bytes));
  return {
    'another attached file has 1 MiB': beside(streamOf(zeros(mostBytes))),
    'another attached file has more than 1 MiB': beside(streamOf(zeros(mostBytes + 1))),
    'another packed attached file has 1 MiB': beside(packedStreamOf(zeros(mostBytes))),
    'another packed attached file has more than 1 MiB': beside(
      packedStreamOf(zeros(mostBytes + 1)),
    ),
    'a packed stream that nothing names has 1 MiB': unnamed(packedStreamOf(zeros(mostBytes))),
    'a packed stream that nothing names has more than 1 MiB': unnamed(
      packedStreamOf(zeros(mostBytes + 1)),
    ),
    'a stream that nothing names is JSON of more than 1 MiB': unnamed(
      streamOf(json(mostBytes + 1)),
    ),
    'the table has more than 1 MiB': streamed({
      pack: (table) => ({
        bytes: deflateSync(Buffer.concat([table, zeros(mostBytes)])),
        entries: '/Filter /FlateDecode',
      }),
      index: `[1 4 9 1 10 ${mostBytes / 5}]`,
    }),
  };
}

function packedObjects(): Pdfs {
  const of = (head: string, entries: string, more: Partial<Streamed> = {}) =>
    streamed({ packs: packedStreamOf(Buffer.from(head + file), entries), ...more });
  const usual = '/Type /ObjStm /N 1 /First 4';
  const two = packedStreamOf(Buffer.from(`8 0 9 5 null ${file}`), '/Type /ObjStm /N 2 /First 8');
  return {
    'the number of packed objects stands elsewhere': of('9 0 ', '/N 5 0 R /First 4', {
      more: ['1'],
    }),
    'the first packed object is named elsewhere': of('9 0 ', '/N 1 /First 5 0 R', { more: ['4'] }),
    'the number of packed objects is missing': of('9 0 ', '/First 4'),
    'the place of the first packed object is missing': of('9 0 ', '/N 1'),
    'the number of packed objects is larger than their head': of('9 0 ', '/N 2 /First 4'),
    'a packed object is twice in the head': of('9 0 9 0 ', '/N 2 /First 8'),
    'a packed object stands second': streamed({ packs: two, inStream: [2, 2, 1] }),
    'a packed object has the index of another': streamed({ packs: two, inStream: [2, 2, 0] }),
    'a packed object has an index behind the last': of('9 0 ', usual, { inStream: [2, 2, 1] }),
    'the stream of objects has another number': of('9 0 ', usual, {
      inStream: [2, 3, 0],
      place: 2,
    }),
    'the stream of objects is free': of('9 0 ', usual, { inStream: [2, 8, 0] }),
    'an object has an unknown kind': of('9 0 ', usual, { inStream: [3, 2, 0] }),
    'an object that nothing names has an unknown kind': of('9 0 ', usual, { extra: [[3, 2, 0]] }),
  };
}

function others(): Pdfs {
  const naming = (entries: string, ...more: string[]) =>
    writePdf(['<< /AF [2 0 R] >>', `<< /EF << /F 3 0 R ${entries} >> >>`, packed, ...more]);
  const catalogue = (entries: string, ...more: (string | Buffer)[]) =>
    writePdf([`<< /AF [2 0 R] ${entries} >>`, file, packed, ...more]);
  const stream = (entries: string) => streamOf(Buffer.from('x'), entries);
  return {
    'an attached file is a number': naming('/UF 4 0 R', '7'),
    'an attached file is a dictionary': naming('/UF 4 0 R', '<< >>'),
    'an attached file is null': naming('/UF 4 0 R', 'null'),
    'an attached file is a string beside the stream': naming('/UF (x)'),
    'an attached file is null in its dictionary': naming('/UF null'),
    'the catalogue is a stream': writePdf([stream('/AF [2 0 R]'), file, packed]),
    'the file is described by a stream': writePdf([
      '<< /AF [2 0 R] >>',
      stream('/EF << /F 3 0 R >>'),
      packed,
    ]),
    'a page is a stream': catalogue('/Pages << /Kids [4 0 R] >>', stream('')),
    'the tree of names is a stream': catalogue('/Names 4 0 R', stream('')),
    'the pages are a stream': catalogue('/Pages 4 0 R', stream('')),
    'a note is a stream': catalogue('/Pages << /Kids [<< /Annots [4 0 R] >>] >>', stream('')),
    'a list of files is a stream': catalogue('/Pages << /AF 4 0 R >>', stream('')),
    'a list of files is a number': catalogue('/Pages << /AF 7 >>'),
    'a list of files is zero': catalogue('/Pages << /AF 0 >>'),
    'a list of files is an empty dictionary': catalogue('/Pages << /AF << >> >>'),
    'a list of files is null': catalogue('/Pages << /AF null >>'),
    'an earlier revision is encrypted': revised(
      Buffer.from(
        attaching(packed).toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Encrypt 2 0 R'),
        'latin1',
      ),
      '',
    ),
    'the previous table is a reference': trailing('/Prev 1 0 R'),
    'the previous table is a real number': trailing('/Prev 9.0'),
    'the previous table is null': trailing('/Prev null'),
    'the table beside is a reference': trailing('/XRefStm 1 0 R'),
    'the table beside is null': trailing('/XRefStm null'),
  };
}

function rows(): Pdfs {
  const index = '[1 4 9 1]';
  return {
    'the table is a stream': streamed({}),
    'the table states its size alone': sized(5),
    'the table states a size that is too small': sized(4),
    'the table states a size that is too large': sized(6),
    'the table states neither size nor numbers': streamed({ index: 'null' }),
    'the table has fewer rows than numbers': streamed({ index: '[1 4 9 2]' }),
    'the table has more rows than numbers': streamed({ index, extra: [[0, 0, 0]] }),
    'the table states an odd list of numbers': streamed({ index: '[1 4 9 1 10]' }),
    'the table states numbers in another object': streamed({
      index: '[1 4 9 6 0 R]',
      more: ['1', '1'],
    }),
    'the length of the table stands elsewhere': streamed({ length: '5 0 R', more: ['25'] }),
    'the rows have no width': streamed({ widths: '[0 0 0]' }),
    'the rows have numbers of six bytes': streamed({ bytes: [1, 6, 6] }),
    'the rows have numbers of seven bytes': streamed({ bytes: [1, 7, 1] }),
    'the rows have four numbers': streamed({ widths: '[1 4 0 0]' }),
    'the rows have two numbers': streamed({ widths: '[1 4]' }),
  };
}

function words(): Pdfs {
  const entry = (written: string) => attaching(packed, [], `/Other ${written}`);
  const nested = (levels: number) => entry('['.repeat(levels) + ']'.repeat(levels));
  const brackets = (levels: number) => entry('('.repeat(levels) + ')'.repeat(levels));
  const latin = (text: string) =>
    Buffer.from(entry('(twin)').toString('latin1').replace('/Other (twin)', text), 'latin1');
  return {
    'lists are nested 49 deep': nested(49),
    'lists are nested 50 deep': nested(50),
    'lists are nested 51 deep': nested(51),
    'brackets are nested 9 deep': brackets(9),
    'brackets are nested 10 deep': brackets(10),
    'a hexadecimal string begins twice': entry('<4<1>'),
    'a hexadecimal string has other signs': entry('<4 1G>'),
    'an entry is there twice, once with an escape of the byte 80': latin('/A\x80 1 /A#80 2'),
    'a comment is before the name of a filter': attaching(
      Buffer.from(packed.toString('latin1').replace('/Filter ', '/Filter %1\n'), 'latin1'),
    ),
    'packed data without an end is behind a keyword': attaching(packed, [
      Buffer.concat([
        Buffer.from('(stream\n'),
        deflateSync(plain.subarray(0, 9)),
        Buffer.from(')'),
      ]),
    ]),
    'other bytes are behind packed data that nothing names': attaching(packed, [
      streamOf(
        Buffer.concat([deflateSync(Buffer.from('x')), Buffer.from('x')]),
        '/Filter /FlateDecode',
      ),
    ]),
    'four blanks are behind packed data that nothing names': attaching(packed, [
      streamOf(
        Buffer.concat([deflateSync(Buffer.from('x')), Buffer.from('\n \n')]),
        '/Filter /FlateDecode',
      ),
    ]),
    'five blanks are behind packed data that nothing names': attaching(packed, [
      streamOf(
        Buffer.concat([deflateSync(Buffer.from('x')), Buffer.from('\n  \n')]),
        '/Filter /FlateDecode',
      ),
    ]),
    'damaged packed data is on the line after a keyword and other words': attaching(packed, [
      Buffer.from('(stream of\n\x78\x9cxxxxxxxxxxxxxxxx\n)', 'latin1'),
    ]),
  };
}

function trailing(entry: string): Buffer {
  const pdf = attaching(packed).toString('latin1');
  return Buffer.from(pdf.replace('/Root 1 0 R', `/Root 1 0 R ${entry}`), 'latin1');
}
