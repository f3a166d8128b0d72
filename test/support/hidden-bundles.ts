import { deflateRawSync, deflateSync } from 'node:zlib';
import { attaching, packedStreamOf, replacing, streamOf } from './attached-pdf.ts';
import { forgeryOf, predicted, predicting } from './crafted-pdfs.ts';
import { sampleText } from './sample-bundle.ts';
import { differenced, differencing, parametersOf } from './tiff-prediction.ts';
import { writePdf } from './write-pdf.ts';

const text = sampleText();
const forged = Buffer.from(forgeryOf(text));
const hexadecimal = Buffer.from(`${forged.toString('hex')}>`);
const twice = deflateSync(deflateSync(forged, { level: 0 }));
const genuine = packedStreamOf(Buffer.from(text));
const oneLine = JSON.stringify(JSON.parse(forged.toString()));

/** The first revision has another attached bundle, and an incremental update replaces it. */
const earlier = (object: Buffer) => replacing(attaching(object), 3, genuine);

/** A stream whose dictionary is on the line of its keyword, behind the word `stream` in a string. */
const onOneLine = (bytes: Buffer, filter: string) =>
  Buffer.concat([
    Buffer.from(`<< /Note (stream) /Filter ${filter} /Length ${bytes.length} >> stream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);

/** A comment between the attached bundle and the end of the file. */
const commented = (comment: string) =>
  writePdf([
    '<< /AF [2 0 R] >>',
    '<< /EF << /F 3 0 R >> >>',
    genuine,
    Buffer.from(`<< >>\n%${comment}`),
  ]);

/** PDFs whose newest revision is genuine, by the place of another bundle that only some readers find. */
export const hiddenBundles: Readonly<Record<string, Buffer>> = {
  'replaced, written as hexadecimal digits': earlier(
    streamOf(hexadecimal, '/Filter /ASCIIHexDecode'),
  ),
  'replaced, its filter abbreviated': earlier(streamOf(hexadecimal, '/Filter /AHx')),
  'replaced, its filter far from the stream': earlier(
    streamOf(hexadecimal, `/Filter /ASCIIHexDecode /Note (obj ${' '.repeat(4_090)}obj)`),
  ),
  'replaced, its key Filter written with an escape': earlier(
    streamOf(hexadecimal, '/F#69lter /ASCIIHexDecode'),
  ),
  'replaced, packed twice': earlier(streamOf(twice, '/Filter [/FlateDecode /FlateDecode]')),
  'replaced, predicted as images are': earlier(
    streamOf(deflateSync(predicted(forged)), predicting()),
  ),
  'replaced, predicted as TIFF images are': earlier(
    streamOf(deflateSync(differenced(forged)), differencing()),
  ),
  'replaced, predicted as TIFF images are, behind a line break': earlier(
    streamOf(deflateSync(differenced(Buffer.from(`\n${forged}`))), differencing()),
  ),
  'replaced, predicted as TIFF images of four bits are': earlier(
    streamOf(deflateSync(differenced(forged, 4)), differencing(4)),
  ),
  'replaced, predicted as TIFF images are, by a number in another object': replacing(
    attaching(
      streamOf(
        deflateSync(differenced(forged)),
        differencing().replace('/Predictor 2', '/Predictor 4 0 R'),
      ),
      ['2'],
    ),
    3,
    genuine,
  ),
  'replaced, predicted as TIFF images are, by parameters in a stream of objects': replacing(
    writePdf(
      [
        '<< /AF [2 0 R] >>',
        '<< /EF << /F 3 0 R >> >>',
        streamOf(deflateSync(differenced(forged, 4)), '/Filter /FlateDecode /DecodeParms 9 0 R'),
        packedStreamOf(Buffer.from(`9 0 ${parametersOf(4)}`), '/Type /ObjStm /N 1 /First 4'),
      ],
      { packed: { number: 9, inStream: 4 } },
    ),
    3,
    genuine,
  ),
  'replaced, written as hexadecimal digits, on one line': earlier(
    onOneLine(hexadecimal, '/ASCIIHexDecode'),
  ),
  'replaced, packed twice, on one line': earlier(onOneLine(twice, '[/FlateDecode /FlateDecode]')),
  'replaced, packed, with a mark of byte order in a packed block of its own': earlier(
    streamOf(marked(forged), '/Filter /FlateDecode'),
  ),
  'in a comment': commented(oneLine),
  'in a comment, written with escapes': commented(
    oneLine.replace('"proofmark/bundle"', '"\\u0070roofmark\\/bundle"'),
  ),
  'in a comment, behind an empty object': commented(`{} ${oneLine}`),
};

/** Bytes behind a byte order mark in zlib format, so that the first bytes unpack one by one. */
function marked(bytes: Buffer): Buffer {
  const mark = [0xef, 0xbb, 0xbf];
  const checksum = deflateSync(Buffer.from([...mark, ...bytes])).subarray(-4);
  const blocks = mark.map((byte) => Buffer.of(0, 1, 0, 0xfe, 0xff, byte));
  return Buffer.concat([Buffer.of(0x78, 0x01), ...blocks, deflateRawSync(bytes), checksum]);
}
