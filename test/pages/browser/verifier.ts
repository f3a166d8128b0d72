import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Test } from 'tap';
import { templateVersions } from '../../../src/domain/proof/template-version.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { attaching, streamOf } from '../../support/attached-pdf.ts';
import { oneBundle, severalBundles, withoutBundle } from '../../support/crafted-pdfs.ts';
import { extractInPage } from '../../support/in-page.js';
import type { PageSite } from '../../support/page-site.ts';
import { projectRoot } from '../../support/run.ts';
import { sampleText } from '../../support/sample-bundle.ts';

const bundle = Buffer.from(sampleText());
const deflated = deflateSync(bundle);
const flate = (bytes: Buffer) => streamOf(bytes, '/Filter /FlateDecode');

/** PDFs whose packed data PDF readers may unpack differently. */
const damaged: Readonly<Record<string, Buffer>> = {
  'data behind the end of a bundle': attaching(
    flate(Buffer.concat([deflated, Buffer.from('more')])),
  ),
  'a bundle that is cut off': attaching(flate(deflated.subarray(0, -30))),
  'another stream that is cut off': attaching(flate(deflated), [flate(deflated.subarray(0, 60))]),
  'a bomb beside a bundle': attaching(flate(deflated), [flate(deflateSync(Buffer.alloc(4e7)))]),
};

/** Certificates of every template, as they were issued. */
const issued = Object.fromEntries(
  templateVersions.map((version) => {
    const name = `certificate-template-${version}.pdf`;
    return [name, readFileSync(join(projectRoot, 'test/certificates/samples', name))];
  }),
);

export async function verifierInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the page reads and refuses crafted PDFs like `ops verify`', async (t) => {
    const { page } = await site.open('/verify');
    const module = `${site.service.url}/pages/verifier/bundle/extract-bundle.js`;
    const pdfs = { ...severalBundles, ...oneBundle, ...withoutBundle, ...damaged, ...issued };
    for (const [what, pdf] of Object.entries(pdfs)) {
      const given = { module, pdf: pdf.toString('base64') };
      t.equal(await page.evaluate(extractInPage, given), await readHere(pdf), what);
    }
  });
}

/** The bundle, or the reason for its absence. */
async function readHere(pdf: Buffer): Promise<string> {
  try {
    return await extractBundle(pdf);
  } catch (error) {
    if (error instanceof NoBundle) return error.why;
    throw error;
  }
}
