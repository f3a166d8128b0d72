import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { test } from 'tap';
import { bundleKey, bundlesInPdf } from '../../../src/verifier/bundle/bundles-in-pdf.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { attaching, packedStreamOf, streamOf } from '../../support/attached-pdf.ts';
import { writePdf } from '../../support/write-pdf.ts';

const samples = join(import.meta.dirname, '../../certificates/samples/bundle');
const sample = (name: string) => new Uint8Array(readFileSync(join(samples, name)));
const text = Buffer.from(sample('bundle.json')).toString('utf8');

const key = bundleKey(Buffer.from(text));
const pdfOf = (...objects: Buffer[]) => new Uint8Array(writePdf(['<< >>', ...objects]));

const whyNot = async (pdf: Uint8Array) => {
  try {
    return await extractBundle(pdf);
  } catch (error) {
    return error instanceof NoBundle ? error.why : error;
  }
};

test('finds the bundle in PDFs written by various programs', async (t) => {
  for (const file of ['pdfkit.pdf', 'object-streams.pdf', 'linearized.pdf', 'unpacked.pdf']) {
    const found = await bundlesInPdf(sample(file));
    t.match(found, { isSearched: true, isDamaged: false }, file);
    t.strictSame([...found.keys], [key], file);
  }
  t.equal((await bundlesInPdf(sample('encrypted.pdf'))).keys.size, 0);
});

test('finds a bundle packed or not, with an indirect or wrong length, and twice the same', async (t) => {
  const plain = Buffer.from(text);
  const pdfs = {
    plain: pdfOf(streamOf(plain)),
    packed: pdfOf(packedStreamOf(plain)),
    'length elsewhere': pdfOf(streamOf(plain, '', '9 0 R')),
    'wrong length': pdfOf(streamOf(plain, '', 7)),
    twice: pdfOf(packedStreamOf(plain), streamOf(plain)),
    'behind others': pdfOf(
      streamOf(Buffer.from('an image'), '/Filter /DCTDecode'),
      packedStreamOf(Buffer.from('BT (text) Tj ET')),
      packedStreamOf(plain),
    ),
  };
  for (const [what, pdf] of Object.entries(pdfs)) {
    const found = await bundlesInPdf(pdf);
    t.ok(found.isSearched, what);
    t.strictSame([...found.keys], [key], what);
    t.equal(await whyNot(pdf), 'unreadablePdf', `${what}: not attached`);
  }
});

test('refuses several different bundles, even if one is written with escapes', async (t) => {
  const other = text
    .replace('Archive', 'Another')
    .replace('proofmark/bundle', 'proof\\u006dark/bundle');
  const both = [text, other].map((each) => packedStreamOf(Buffer.from(each)));
  t.equal(await whyNot(pdfOf(...both)), 'severalBundles');
});

test('recognises a damaged bundle as one', async (t) => {
  const half = deflateSync(Buffer.from(text)).subarray(0, 600);
  for (const stream of [
    streamOf(half, '/Filter /FlateDecode'),
    streamOf(Buffer.from(text.slice(0, 900))),
  ]) {
    t.match(await bundlesInPdf(pdfOf(stream)), { isDamaged: true, isSearched: false });
    t.equal(await whyNot(attaching(stream)), 'malformedBundle');
  }
});

test('does not accept bytes after the end of packed data', async (t) => {
  const packed = Buffer.concat([deflateSync(Buffer.from(text)), Buffer.from('more')]);
  const pdf = attaching(streamOf(packed, '/Filter /FlateDecode'));
  t.equal((await bundlesInPdf(new Uint8Array(pdf))).isSearched, false);
  t.not(await whyNot(pdf), text);
});

test('limits time and memory for hostile PDFs', async (t) => {
  const bomb = packedStreamOf(Buffer.alloc(200_000_000));
  const hostile = {
    'a bomb': pdfOf(bomb),
    'many bombs': pdfOf(...Array.from({ length: 40 }, () => bomb)),
    'many streams': new Uint8Array(
      Buffer.from('1 0 obj\n<<>>\nstream\nendstream\n'.repeat(250_000)),
    ),
    'no end': new Uint8Array(Buffer.from(`%PDF-${'stream\n'.repeat(1_000_000)}`)),
    'no dictionary': new Uint8Array(Buffer.from(` obj${' '.repeat(8_000_000)}stream\nendstream`)),
    nothing: new Uint8Array(),
  };
  for (const [what, pdf] of Object.entries(hostile)) {
    const before = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    t.equal(await whyNot(pdf), 'noBundle', what);
    const { user, system } = process.cpuUsage(before);
    const grownMb = (process.resourceUsage().maxRSS - maxRSS) / 1_024;
    t.ok(grownMb < 130, `${what}: ${Math.round(grownMb)} MB`);
    t.ok(user + system < 10_000_000, `${what}: ${Math.round((user + system) / 1_000)} ms`);
  }
});
