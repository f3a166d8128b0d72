import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { test } from 'tap';
import { findBundle } from '../../src/pages/find-bundle.js';
import { NoBundle, readBundle } from '../../src/pages/read-bundle.js';
import { sampleText } from '../support/sample-bundle.ts';
import { writePdf } from '../support/write-pdf.ts';

const samples = join(import.meta.dirname, '../certificates/samples/bundle');
const sample = (name: string) => new Uint8Array(readFileSync(join(samples, name)));
const text = Buffer.from(sample('bundle.json')).toString('utf8');

function stream(bytes: Buffer, entries = '', length: number | string = bytes.length): Buffer {
  const head = `<< /Length ${length} ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}
const packed = (bytes: Buffer) => stream(deflateSync(bytes), '/Filter /FlateDecode');
const pdfOf = (...objects: Buffer[]) => new Uint8Array(writePdf(['<< >>', ...objects]));

const whyNot = async (pdf: Uint8Array<ArrayBuffer>) => {
  try {
    return await findBundle(pdf);
  } catch (error) {
    return error instanceof NoBundle ? error.why : error;
  }
};

test('the bundle is found in PDFs as many programs write them', async (t) => {
  for (const file of ['pdfkit.pdf', 'object-streams.pdf', 'linearized.pdf', 'unpacked.pdf']) {
    t.equal(await findBundle(sample(file)), text, file);
  }
  t.equal(await whyNot(sample('encrypted.pdf')), 'noBundle');
});

test('a bundle is found packed or not, with its length elsewhere or wrong, and twice the same', async (t) => {
  const plain = Buffer.from(text);
  const pdfs = {
    plain: pdfOf(stream(plain)),
    packed: pdfOf(packed(plain)),
    'length elsewhere': pdfOf(stream(plain, '', '9 0 R')),
    'wrong length': pdfOf(stream(plain, '', 7)),
    twice: pdfOf(packed(plain), stream(plain)),
    'behind others': pdfOf(
      stream(Buffer.from('an image'), '/Filter /DCTDecode'),
      packed(Buffer.from('BT (text) Tj ET')),
      packed(plain),
    ),
  };
  for (const [what, pdf] of Object.entries(pdfs)) {
    t.equal((await findBundle(pdf)).trim(), text.trim(), what);
  }
});

test('different bundles are none; escapes do not hide one', async (t) => {
  const other = text
    .replace('Archive', 'Another')
    .replace('proofmark/bundle', 'proof\\u006dark/bundle');
  t.equal(
    await whyNot(pdfOf(packed(Buffer.from(text)), packed(Buffer.from(other)))),
    'severalBundles',
  );
});

test('what is left of a damaged stream is looked at', async (t) => {
  const half = deflateSync(Buffer.from(text)).subarray(0, 600);
  const found = await findBundle(pdfOf(stream(half, '/Filter /FlateDecode')));
  t.ok(text.startsWith(found) && found.length < text.length);
});

test('what is made to be a burden is bounded in time and memory', async (t) => {
  const bomb = packed(Buffer.alloc(200_000_000));
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

test('of a bundle only what is its own is read, and only if it is of the right form', async (t) => {
  const value = JSON.parse(sampleText());
  const why = (json: string) => {
    try {
      return readBundle(json).certificate;
    } catch (error) {
      return error instanceof NoBundle ? error.why : error;
    }
  };
  const changed = (change: (bundle: typeof value) => void) => {
    const copy = structuredClone(value);
    change(copy);
    return why(JSON.stringify(copy));
  };
  t.match(why(sampleText()), { network: 'mainnet', revision: 2, standalone: false });
  t.equal(why('x'), 'noBundle');
  t.equal(why('null'), 'noBundle');
  t.equal(why('[]'), 'noBundle');
  t.equal(why(sampleText().slice(0, 300)), 'malformedBundle');
  t.equal(
    why(
      `{"format":"proofmark/bundle","version":1,"file":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ),
    'malformedBundle',
  );
  t.equal(
    changed((bundle) => Object.assign(bundle, { version: 3 })),
    'newerBundle',
  );
  const inherited = sampleText()
    .replace('"file": {', '"__proto__": {')
    .replace('"anchor": {', '"x": {');
  t.equal(why(inherited), 'malformedBundle', 'a name like any other');
  t.equal(({} as { fileHash?: string }).fileHash, undefined);
  for (const section of ['file', 'commitment', 'revision', 'anchor', 'evidence']) {
    for (const name of Object.keys(value[section])) {
      if (['fileSizeBytes', 'mimeType', 'transactionIndex', 'metadata'].includes(name)) continue;
      for (const wrong of [{}, [], 'x'.repeat(3_000), -1, undefined]) {
        const given = changed((bundle) => Object.assign(bundle[section], { [name]: wrong }));
        t.equal(
          given,
          'malformedBundle',
          `${section}.${name}: ${JSON.stringify(wrong)?.slice(0, 9)}`,
        );
      }
    }
  }
  t.equal(
    changed((bundle) => Object.assign(bundle.commitment, { commitment: null })),
    'malformedBundle',
  );
});
