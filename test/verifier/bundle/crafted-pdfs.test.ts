import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { test } from 'tap';
import { createCertificateRenderer } from '../../../src/certificates/pdf/certificate-renderer.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { attaching, packedStreamOf, replacing } from '../../support/attached-pdf.ts';
import { newOrganisationId } from '../../support/blobs.ts';
import { forgeryOf, oneBundle, severalBundles, withoutBundle } from '../../support/crafted-pdfs.ts';
import { everyBundle } from '../../support/every-bundle.ts';
import { hiddenBundles } from '../../support/hidden-bundles.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { rewriteWithQpdf } from '../../support/qpdf.ts';
import { runCount } from '../../support/run-count.ts';
import { sampleProof, sampleText } from '../../support/sample-bundle.ts';

const samples = join(import.meta.dirname, '../../certificates/samples/bundle');
const sample = (name: string) => readFileSync(join(samples, name));
const plain = Buffer.from(sampleText());

/** The bundle that counts for the page and for `ops verify`. */
async function read(pdf: Buffer): Promise<string> {
  try {
    return (await extractBundle(pdf)).trim();
  } catch (error) {
    if (error instanceof NoBundle) return refused;
    throw error;
  }
}

const refused = 'refused';

for (const [what, pdf] of Object.entries({ ...severalBundles, ...hiddenBundles })) {
  test(`a second bundle, ${what}, is refused`, async (t) => {
    t.equal(await read(pdf), refused);
  });
}

for (const [what, pdf] of Object.entries(oneBundle)) {
  test(`one bundle, ${what}, is read, and no other bundle could be read`, async (t) => {
    const bundle = await read(pdf);
    t.equal(JSON.parse(bundle).format, 'proofmark/bundle');
    t.strictSame([...everyBundle(pdf)], [bundle]);
  });
}

test('refuses a PDF without a readable bundle', async (t) => {
  for (const [what, pdf] of Object.entries(withoutBundle)) t.equal(await read(pdf), refused, what);
});

const rewritings: Readonly<Record<string, readonly string[]>> = {
  linearized: ['--linearize'],
  'with streams of objects': ['--object-streams=generate'],
  'linearized, with streams of objects': ['--linearize', '--object-streams=generate'],
  unpacked: ['--qdf', '--stream-data=uncompress'],
  'packed anew': ['--recompress-flate', '--compression-level=1'],
};

test('reads certificates of every version, also after rewriting by tools', async (t) => {
  const renderer = createCertificateRenderer({ timeoutMs: 120_000 });
  t.teardown(() => renderer.close());
  for (const unlogged of [true, false]) {
    const hashScheme = unlogged ? 'sha256-plain-v1' : 'hmac-sha256-nonce-v3';
    const options = { unlogged, hashScheme } as const;
    const issued = sampleText(options);
    const { content } = sampleProof(options);
    const pdf = Buffer.from(
      await renderer.render(newOrganisationId(), content, Buffer.from(issued)),
    );
    const what = `version ${unlogged ? 1 : 2}`;
    t.equal(await read(pdf), issued.trim(), what);
    t.strictSame([...everyBundle(pdf)], [issued.trim()], what);
    for (const [how, flags] of Object.entries(rewritings)) {
      const anew = await rewriteWithQpdf(pdf, flags);
      t.equal(await read(anew), issued.trim(), `${what}, ${how}`);
      t.strictSame([...everyBundle(anew)], [issued.trim()], `${what}, ${how}`);
      t.equal(await readByFirefox(anew), issued.trim(), `${what}, ${how}`);
      const number = fileIn(anew);
      const altered = replacing(anew, number, packedStreamOf(Buffer.from(forgeryOf(issued))));
      t.equal(await read(altered), refused, `${what}, ${how}, replaced`);
      t.equal(everyBundle(altered).size, 2, `${what}, ${how}, replaced`);
    }
  }
});

async function readByFirefox(pdf: Buffer): Promise<string> {
  const { attachments } = await readPdf(pdf);
  return [...attachments.values()].map((file) => Buffer.from(file).toString().trim()).join();
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function fileIn(pdf: Buffer): number {
  const before = pdf.toString('latin1').split('/Type /EmbeddedFile')[0] ?? '';
  return Number([...before.matchAll(/(\d+) 0 obj/g)].at(-1)?.[1]);
}

test('white space inside a bundle costs no time', async (t) => {
  const blank = `{"format": "proofmark/bundle",${' '.repeat(250_000)}"x": 1}`;
  const pdf = attaching(packedStreamOf(Buffer.from(blank)));
  const before = process.cpuUsage();
  t.equal(await read(pdf), blank);
  t.ok(cpuMsSince(before) < 1_000, `${pdf.length} bytes: ${cpuMsSince(before)} ms`);
});

test('each tried end of a stream counts towards the work limit', async (t) => {
  const block = Buffer.from([0, 10, 0, 0xf5, 0xff, ...Buffer.from('\nendstream')]);
  const middle = deflateRawSync(Buffer.alloc(240_000, 'abcdefg hijk lmnop'), {
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const opening = Buffer.from('1 0 obj << >>\nstream\n\x78\x01', 'latin1');
  const ends = Array.from({ length: 7 }, () => block);
  const one = Buffer.concat([opening, block, middle, ...ends, Buffer.from('\nendobj\n')]);
  const many = Buffer.concat(Array.from({ length: 990 }, () => one));
  const pdf = attaching(packedStreamOf(plain), [many]);
  const before = process.cpuUsage();
  t.equal(await read(pdf), refused);
  t.ok(cpuMsSince(before) < 1_000, `${pdf.length} bytes: ${cpuMsSince(before)} ms`);
});

test('reads samples of both versions', async (t) => {
  for (const name of ['pdfkit.pdf', 'object-streams.pdf', 'linearized.pdf', 'unpacked.pdf']) {
    const bundle = sample('bundle.json').toString().trim();
    t.equal(await read(sample(name)), bundle, name);
  }
  const newer = sample('bundle-2.json');
  t.equal(await read(attaching(packedStreamOf(newer))), newer.toString().trim());
});

test('any changed PDF is refused, or no other bundle could be read from it', async () => {
  const sources = [
    ...Object.values(oneBundle),
    severalBundles['a second file under any name'] ?? plain,
  ];
  const garbled = fc
    .tuple(fc.constantFrom(...sources), fc.nat(), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
    .map(([pdf, place, length, bytes]) => {
      const at = place % pdf.length;
      return Buffer.concat([pdf.subarray(0, at), bytes, pdf.subarray(at + length)]);
    });
  await fc.assert(
    fc.asyncProperty(garbled, async (pdf) => {
      const bundle = await read(pdf);
      return bundle === refused || [...everyBundle(pdf)].every((each) => each === bundle);
    }),
    { numRuns: runCount(30, 150) },
  );
});
