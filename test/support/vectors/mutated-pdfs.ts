import { deflateSync } from 'node:zlib';
import type { Random } from '../seed.ts';
import { writePdf } from '../write-pdf.ts';
import type { Mutant } from './mutant.ts';
import { mutateJson } from './mutate-json.ts';
import { mutatedBytes, pick, upTo } from './mutated-bytes.ts';
import { bytesOf, type VectorInput } from './vector.ts';

/** A few bytes of a certificate altered. */
export function pdfBytes(base: VectorInput, random: Random): Mutant {
  if (base.certificateBase64 === undefined) return null;
  let bytes: Buffer<ArrayBufferLike> = Buffer.from(bytesOf(base));
  if (bytes.length > 300_000) return null;
  for (let left = 1 + upTo(3, random); left > 0; left -= 1) {
    bytes = mutatedBytes(bytes, random, pdfTokens);
  }
  return { certificateBase64: bytes.toString('base64') };
}

const pdfTokens = [
  ...[
    'stream\r\n',
    'stream\n',
    'stream ',
    'endstream',
    'endobj',
    'obj',
    '1 0 R',
    '2 0 R',
    '3 0 R',
    '99 0 R',
    '<<',
    '>>',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
  ],
  ...[
    '/AF',
    '/EF',
    '/F',
    '/UF',
    '/Names',
    '/Kids',
    '/Prev 0',
    '/Filter',
    '/FlateDecode',
    '/Fl#61teDecode',
    '/Length 0',
    '/Length -1',
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '+1',
    '.',
    '--1',
  ],
  ...[
    '%',
    '\n',
    '\r',
    '\0',
    '\f',
    '\t',
    '\v',
    '\x85',
    '%1\n',
    '#',
    '#2',
    '\\',
    '\\)',
    'xref',
    'trailer',
    'startxref',
    '%%EOF',
    '/Encrypt 1',
    '/XRefStm 9',
    '/Type /ObjStm',
    '/DecodeParms << /Predictor 12 >>',
    '/DecodeParms << /Predictor 2 >>',
    '/DecodeParms 4 0 R',
    '/BitsPerComponent 4',
    '"proofmark/bundle"',
    '{"format":"proofmark\\/bundle"}',
    '99999999999',
  ],
].map((text) => Buffer.from(text, 'latin1'));

/** A small PDF around a bundle, put together in a random way. */
export function pdfAttached(base: VectorInput, random: Random): Mutant {
  const text = base.bundle;
  if (text === undefined || text.length > 30_000) return null;
  const content = Buffer.from(random() < 0.3 ? mutateJson(text, random) : text);
  const some = <T extends string | number | Buffer>(...ways: readonly T[]): T => pick(ways, random);
  const data = some(
    content,
    deflateSync(content),
    deflateSync(content),
    Buffer.concat([deflateSync(content), Buffer.from(some('', '\n', 'x', '\0'))]),
  );
  const isPacked = data !== content;
  const filter = isPacked
    ? some(
        '/Filter /FlateDecode',
        '/Filter [/FlateDecode]',
        '/Filter [ /Flate#44ecode ]',
        '/Filter/FlateDecode',
        '/Filter 4 0 R',
        '/Filter [4 0 R]',
        '/F /FlateDecode',
        '',
      )
    : some('', '', '/Filter null', '/Filter []', '/Filter [/ASCIIHexDecode]');
  const parms = some(
    '',
    '',
    '',
    '/DecodeParms null',
    '/DecodeParms << /Predictor 1 >>',
    '/DecodeParms [null]',
    '/DecodeParms [<< /Predictor 1 >>]',
    '/DecodeParms << /Predictor 12 /Columns 4 >>',
    '/DecodeParms << /Predictor 2 /Columns 4 >>',
    '/DecodeParms [4 0 R]',
  );
  const length = some<string | number>(
    data.length,
    data.length,
    data.length,
    `5 0 R`,
    data.length + 1,
    data.length - 1,
    `${data.length}.0`,
    `+${data.length}`,
    `00${data.length}`,
  );
  const begin = some('stream\n', 'stream\r\n', 'stream\r', 'stream \n', 'stream%x\n');
  const end = some(
    '\nendstream',
    'endstream',
    '\r\nendstream',
    '\n\nendstream',
    ' endstream',
    '\n\n\nendstream',
    '\0endstream',
  );
  const stream = Buffer.concat([
    Buffer.from(`<< ${filter} ${parms} /Length ${length} >>\n${begin}`),
    data,
    Buffer.from(end),
  ]);
  const catalogue = some(
    '<< /AF [2 0 R] >>',
    '<< /AF 6 0 R >>',
    '<< /Names << /EmbeddedFiles << /Names [(a) 2 0 R] >> >> >>',
    '<</AF[2 0 R]/Names null>>',
    '<< /AF [2 0 R 2 0 R null (x) 1.5] >>',
    '<< /A#46 [2 0 R] /Pages << /Kids [<< /AF [2 0 R] >>] >> >>',
    '<< /Pages << /Kids [<< /Annots [<< /FS 2 0 R >>] >>] >> >>',
    '<< /AF [2 0 R] /AF [] >>',
    '<< /AF [] /AF [2 0 R] >>',
    '<< /AF [<< /EF << /F 3 0 R >> >>] >>',
    '<< /AF [2 0 R] /X (a(b)c\\)) /Y <41 42> /Z <4 1G> >>',
    '<< /AF [2 0 R] /N -.5 /M +7 /O 1. /P . >>',
  );
  const file = some(
    '<< /EF << /F 3 0 R >> >>',
    '<< /EF << /UF 3 0 R /F 3 0 R >> >>',
    '<< /EF << /F 99 0 R /F 3 0 R >> >>',
    '<< /EF 7 0 R >>',
    '<< /EF << /Unix 3 0 R >> >>',
    '<< /EF << /Other 3 0 R >> >>',
    '<</EF<</F 3 0 R>>/F(x)>>',
    '<< /EF << /F 3 1 R >> >>',
    '<< /EF << /F 3 0 R /UF null /DOS 99 0 R >> >>',
  );
  const objects = [
    catalogue,
    file,
    stream,
    some('/FlateDecode', '[/FlateDecode]', 'null'),
    `${data.length}`,
    '[2 0 R]',
    some('<< /F 3 0 R >>', '<< /F 8 0 R >>'),
    some('3 0 R', '8 0 R', 'null'),
  ];
  let pdf: Buffer<ArrayBufferLike> = writePdf(objects);
  if (random() < 0.2) pdf = mutatedBytes(pdf, random, pdfTokens);
  return { certificateBase64: pdf.toString('base64') };
}
