import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { test } from 'tap';
import { extractBundle, maxCertificateBytes } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import {
  attaching,
  free,
  numbered,
  placed,
  revised,
  streamOf,
} from '../../support/attached-pdf.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { runCount } from '../../support/run-count.ts';
import { writePdf } from '../../support/write-pdf.ts';

const samples = join(import.meta.dirname, '../../certificates/samples/bundle');
const sample = (name: string) => readFileSync(join(samples, name));
const text = sample('bundle.json').toString('utf8');
const files = ['pdfkit.pdf', 'object-streams.pdf', 'linearized.pdf', 'unpacked.pdf'];

const refuses = async (pdf: Buffer) => {
  const started = process.cpuUsage();
  try {
    await extractBundle(pdf);
  } catch (error) {
    if (!(error instanceof NoBundle)) throw error;
    const { user, system } = process.cpuUsage(started);
    return { why: error.why, message: error.message, ms: (user + system) / 1_000 };
  }
  throw new Error('it was read');
};

for (const file of files) {
  test(`extracts the bundle from ${file}`, async (t) => {
    t.equal(await extractBundle(sample(file)), text);
  });
}

test('finds an attachment packed or not, with an indirect length, among others', async (t) => {
  const plain = Buffer.from(text);
  t.equal(await extractBundle(attaching(streamOf(plain))), text);
  t.equal(
    await extractBundle(attaching(streamOf(deflateSync(plain), '/Filter /FlateDecode'))),
    text,
  );
  t.equal(await extractBundle(attaching(streamOf(plain, '', '4 0 R'), [`${plain.length}`])), text);
  const beside = (other: ReturnType<typeof streamOf>) =>
    writePdf([
      '<< /AF [2 0 R 4 0 R 6 0 R] /Names << /EmbeddedFiles << /Kids [8 0 R 8 0 R] >> >> >>',
      '<< /EF << /F 3 0 R >> >>',
      streamOf(Buffer.from('another file')),
      '<< /EF << /F 5 0 R >> >>',
      other,
      '<< /EF << /UF 7 0 R >> >>',
      streamOf(plain),
      '<< /Names [(a \\) b) 6 0 R (c (d)) 2 0 R] /Kids [8 0 R] >>',
    ]);
  const packed = streamOf(deflateSync(Buffer.from('one more')), '/Filter /FlateDecode');
  t.equal(await extractBundle(beside(packed)), text);
  const image = streamOf(Buffer.from('an image'), '/Filter /DCTDecode');
  t.match(
    (await refuses(beside(image))).message,
    /another bundle may be hidden/,
    'the image is not unpacked',
  );
});

test('refuses a PDF with no bundle, several bundles or encryption', async (t) => {
  t.match((await refuses(writePdf(['<< >>']))).message, /no proof bundle is attached/);
  t.match((await refuses(sample('encrypted.pdf'))).message, /encrypted/);
  const two = writePdf([
    '<< /AF [<< /EF << /F 2 0 R >> >> << /EF << /F 3 0 R >> >>] >>',
    streamOf(Buffer.from(text)),
    streamOf(Buffer.from(text.replace('Archive', 'Another'))),
  ]);
  t.match(
    (await refuses(two)).message,
    /several different proof bundles.* Ask for the certificate/,
  );
  t.match(
    (await refuses(Buffer.from(text))).message,
    /not a PDF/,
    'a bundle by itself is no certificate',
  );
  t.match((await refuses(Buffer.alloc(0))).message, /not a PDF/);
});

test('considers every bundle that another reader could take', async (t) => {
  const other = text.replace('Archive', 'Another');
  const escaped = other.replace('proofmark/bundle', 'proof\\u006dark\\/bundle');
  t.match(
    (await refuses(attachingBoth(`<< /EF << /F 2 0 R /UF 3 0 R >> >>`, other))).message,
    /several/,
  );
  const apart = '<< /EF << /F 2 0 R >> >> << /EF << /F 3 0 R >> >>';
  t.match((await refuses(attachingBoth(apart, escaped))).message, /several/);
  const latin1 = Buffer.from(other.replace('Another', 'Archiv\xe9'), 'latin1');
  t.match((await refuses(attachingBoth(apart, latin1))).message, /several/);
  const first = '<< /EF << /F 2 0 R >> >>';
  for (const ofPage of ['/AF [4 0 R]', '/Annots [<< /Subtype /FileAttachment /FS 4 0 R >>]']) {
    const onPage = attachingBoth(first, other, `/Pages << /Kids [<< ${ofPage} >>] >>`);
    t.match((await refuses(onPage)).message, /several/);
  }
});

function attachingBoth(files: string, other: string | Buffer, entries = ''): Buffer {
  return writePdf([
    `<< /AF [${files}] ${entries} >>`,
    streamOf(Buffer.from(text)),
    streamOf(Buffer.from(other)),
    '<< /EF << /F 3 0 R >> >>',
  ]);
}

test('reads a bundle with a byte order mark, and refuses one that is not UTF-8', async (t) => {
  const marked = Buffer.from(`\ufeff${text}`);
  t.equal(await extractBundle(attaching(streamOf(marked))), text);
  const latin1 = Buffer.from(text.replace('Archive', 'Archiv\xe9'), 'latin1');
  t.match((await refuses(attaching(streamOf(latin1)))).message, /is damaged/);
});

test('the newest revision of a file counts', async (t) => {
  const before = attaching(streamOf(Buffer.from('an older attachment')));
  const newer = numbered(3, streamOf(Buffer.from(text)));
  t.equal(await extractBundle(revised(before, `3 1\n${placed(before.length)}`, newer)), text);
  const deleted = revised(attaching(streamOf(Buffer.from(text))), `3 1\n${free}`);
  t.match((await refuses(deleted)).message, /no proof bundle/);
});

test('finds an object marked free in the table but listed in the stream beside it', async (t) => {
  const before = attaching(streamOf(Buffer.from('an older attachment')));
  const newer = numbered(3, streamOf(Buffer.from(text)));
  const row = Buffer.from([1, 0, 0, 0, 0]);
  row.writeUInt32BE(before.length, 1);
  const beside = numbered(9, streamOf(row, '/Type /XRef /W [1 4 0] /Index [3 1]'));
  const entries = `/XRefStm ${before.length + newer.length}`;
  const hybrid = revised(before, `3 1\n${free}`, Buffer.concat([newer, beside]), entries);
  t.equal(await extractBundle(hybrid), text);
});

test('circular cross-reference sections are read once', async (t) => {
  const file = ['<< /EF << /F 3 0 R >> >>', streamOf(Buffer.from(text))];
  t.equal(
    await extractBundle(writePdf(['<< /AF [2 0 R] >>', ...file], { previous: 'self' })),
    text,
  );
});

const nested = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024));
const hostile: Readonly<Record<string, Buffer>> = {
  'a deflate bomb': attaching(streamOf(bomb, '/Filter /FlateDecode')),
  'a deflate bomb of objects': writePdf(['<< /AF 9 0 R >>'], {
    packed: { number: 9, inStream: 2 },
    objects: [streamOf(bomb, '/Filter /FlateDecode /Type /ObjStm /N 1 /First 4')],
  }),
  'a length that is its own': attaching(streamOf(Buffer.from(text), '', '3 0 R')),
  'a chain of lengths': attaching(
    streamOf(Buffer.from(text), '', '4 0 R'),
    Array.from({ length: 2_000 }, (_, at) => streamOf(Buffer.from('x'), '', `${at + 5} 0 R`)),
  ),
  'a tree of names that goes round': writePdf([
    '<< /Names << /EmbeddedFiles 2 0 R >> >>',
    '<< /Kids [2 0 R 3 0 R] >>',
    '<< /Kids [2 0 R 3 0 R] >>',
  ]),
  'many branches that share one list': writePdf([
    `<< /Names << /EmbeddedFiles << /Kids [${'<< /Names 2 0 R >> '.repeat(20_000)}] >> >> >>`,
    `[${'0 '.repeat(100_000)}]`,
  ]),
  'deeply nested arrays': writePdf([`<< /AF ${nested('[', ']')} >>`]),
  'deeply nested dictionaries': writePdf([`<< /AF ${nested('<</A', '>>')} >>`]),
  'millions of dictionaries': writePdf([`<< /AF [${'<<>>'.repeat(1_900_000)}] >>`]),
  'a sea of blanks': writePdf([`<< /AF ${' '.repeat(8_000_000)} >>`]),
  'an endless string': writePdf([`<< /AF (${'('.repeat(7_000_000)} >>`]),
  'a table without an end': writePdf(['<< >>'], { table: 'xref\n0 99999999999\n' }),
  'too many attached files': writePdf([
    `<< /AF [${Array.from({ length: 200 }, (_, at) => `<< /EF << /F ${at + 9} 0 R >> >>`).join('')}] >>`,
  ]),
  'a file that is too large': Buffer.alloc(maxCertificateBytes + 1),
};

for (const [what, pdf] of Object.entries(hostile)) {
  test(`${what} is refused quickly and in little memory`, async (t) => {
    const before = process.memoryUsage().rss;
    const { ms } = await refuses(pdf);
    t.ok(ms < (await onThisMachine(3_000)), `${ms} ms`);
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    t.ok(grown < 256, `${grown} MiB`);
  });
}

test('a truncated or garbled PDF is read or refused', async () => {
  const sources = files.map(sample);
  const garbled = fc
    .tuple(fc.constantFrom(...sources), fc.nat(), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
    .map(([pdf, place, length, bytes]) => {
      const at = place % pdf.length;
      return Buffer.concat([pdf.subarray(0, at), bytes, pdf.subarray(at + length)]);
    });
  const cut = fc
    .tuple(fc.constantFrom(...sources), fc.nat())
    .map(([pdf, at]) => pdf.subarray(0, at % pdf.length));
  const swapped = fc
    .tuple(fc.constantFrom(...sources), fc.nat(9), fc.nat(99))
    .map(([pdf, from, to]) =>
      Buffer.from(pdf.toString('latin1').replaceAll(` ${from} 0 R`, ` ${to} 0 R`), 'latin1'),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(garbled, cut, swapped), async (pdf) => {
      try {
        await extractBundle(pdf);
      } catch (error) {
        if (!(error instanceof NoBundle)) throw error;
      }
    }),
    { numRuns: runCount(400, 800) },
  );
});
