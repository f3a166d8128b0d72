import type { Test } from 'tap';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { attaching, packedStreamOf, replacing } from '../../support/attached-pdf.ts';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile, sampleText } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);

/** A forgery of a genuine bundle: other statements and a new checksum. */
function forgery(): string {
  const { checksum: _, ...value } = JSON.parse(sampleText());
  Object.assign(value.certificate, {
    organisationName: 'Example Bank AG',
    workspaceName: 'Board',
    issuedAt: '2020-01-01T00:00:00.000Z',
  });
  Object.assign(value.file, { fileName: 'Deed.pdf', fileSizeBytes: 9_000, mimeType: 'text/deed' });
  value.revision.number = 77;
  return JSON.stringify({ ...value, checksum: bundleChecksum(value) });
}

export async function claimsInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('forged statements are labelled as claims and never ticked', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    const pdf = attaching(packedStreamOf(Buffer.from(forgery())));
    await give(page, rightFile, namedFile('forged.pdf', pdf));
    const words = await verdict(page, 'partial', 'these exact bytes existed no later than');
    t.match(
      words,
      /Who issued the certificate .* every other statement in it are claims, and not verif/,
    );
    t.match(words, 'The printed pages of the PDF were not checked');
    const claims = await page.locator('.claim').allInnerTexts();
    const forged = ['Example Bank AG', 'Board', 'January 1, 2020', 'Deed.pdf', '9 kB', 'text/deed'];
    for (const value of [...forged, '77', 'https://proofs.example']) {
      const claim = claims.filter((each) => each.includes(value));
      t.ok(claim.length > 0, value);
      t.ok(claim.every((each) => each.includes('Claimed, not verified')));
    }
    const [shown = ''] = await page.locator('main').allInnerTexts();
    for (const value of forged) {
      const lines = shown.split('\n').filter((line) => line.includes(value));
      t.ok(
        lines.length > 0 && lines.every((line) => line.includes('Claimed, not verified')),
        value,
      );
    }
    const ticked = await page.locator('.step:has(.mark-ok)').allInnerTexts();
    t.equal(ticked.length, 1, 'the signature of the transaction');
    t.notMatch(ticked.join('\n'), /certificate itself|statements|pages|Example Bank/);
    t.notMatch(shown, 'The certificate holds');
    await page.getByText('That is the whole chain').waitFor();
    await lookAt(t, page, 'claims');
    finish(t, tab);
  });

  await t.test('a PDF whose bundle was replaced by an update proves nothing', async (t) => {
    const tab = await site.open('/verify');
    const genuine = attaching(packedStreamOf(Buffer.from(sampleText())));
    const replaced = replacing(genuine, 3, packedStreamOf(Buffer.from(forgery())));
    await give(tab.page, rightFile, namedFile('replaced.pdf', replaced));
    await verdict(tab.page, 'disproven', 'it holds several proofs');
    await verdict(tab.page, 'open', 'Now the certificate');
    await lookAt(t, tab.page, 'several-proofs');
    finish(t, tab);
  });
}
