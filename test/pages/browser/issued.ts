import type { Route } from 'playwright-core';
import type { Test } from 'tap';
import { sha256 } from '../../support/forms.ts';
import { issuedBy, pdfOf, recordOf, signedBundle } from '../../support/issued-pdf.ts';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleAttested, sampleFile, sampleLogSigner } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';
import { otherLogKey } from '../../support/vectors/vector-bases.ts';

const file = namedFile('contract.txt', sampleFile);
const asked = '**/log/certificates/*';
/** Steps are folded. */
const present = { state: 'attached' } as const;

export async function issuedInBrowser(t: Test, site: PageSite): Promise<void> {
  const { host } = new URL(site.service.url);
  const bundle = signedBundle((draft) => {
    const { verifyPageUrl } = draft.addresses;
    draft.addresses.verifyPageUrl = verifyPageUrl.replace(/^https:\/\/[^/]+/, `http://${host}`);
  });
  const [pdf, otherPages] = [pdfOf(bundle), pdfOf(bundle, 'other')];
  site.anchor({ attested: sampleAttested });
  const open = async (answer: (route: Route) => Promise<void>, certificate: Buffer) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    await page.route(asked, answer);
    await give(page, file, namedFile('certificate.pdf', certificate));
    const step = page.locator('.step:has(h3:text("Bytes of the PDF"))');
    return { ...tab, step };
  };

  await t.test('a PDF with other pages is not the one that was issued', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, file, namedFile('certificate.pdf', otherPages));
    await verdict(page, 'disproven', 'This PDF is not the one that was issued');
    t.ok(
      tab.requests.some((each) => each.url().endsWith(`/log/certificates/${sha256(otherPages)}`)),
      'the service itself was asked',
    );
    await lookAt(t, page, 'other-pages');
    // The browser complains of the answer 404.
    t.match(tab.complaints.splice(0), [/404/]);
    finish(t, tab);
  });

  await t.test('a PDF in the log is confirmed with a key that the reader gives', async (t) => {
    const record = recordOf(pdf);
    const tab = await open((route) => route.fulfill({ json: record }), pdf);
    const { page, step } = tab;
    await step.locator('.mark-stated').waitFor(present);
    t.match(await step.textContent(), 'says that it issued exactly these bytes');
    t.match(await step.textContent(), sha256(pdf));
    if (!(await page.isVisible('#keys'))) await page.locator('.known > summary').click();
    await page.fill('#keys', `log ${sampleLogSigner.vkey}`);
    await page.locator('#keys').blur();
    await step.locator('.mark-ok').waitFor(present);
    t.match(await step.textContent(), 'as entry 2 of 2');
    t.match(await page.locator('main').textContent(), 'so its pages are as they were issued');
    t.match(await page.locator('.claims').textContent(), 'Claimed, not verified');
    await page.fill('#keys', `log ${sampleLogSigner.vkey}\n${issuedBy.vkey}`);
    await page.locator('#keys').blur();
    await page.locator('.claims', { hasText: 'Stated and signed by the issuer' }).waitFor(present);
    t.notMatch(
      await page.locator('.cards').textContent(),
      /Claimed, not verified|may show anything/,
    );
    await lookAt(t, page, 'recorded');
    await page.fill('#keys', otherLogKey.vkey);
    await page.locator('#keys').blur();
    await verdict(page, 'disproven', 'The log did not sign the record of this PDF');
    await step.locator('.mark-failed').waitFor(present);
    await page.fill('#keys', '');
    await page.locator('#keys').blur();
    await step.locator('.mark-stated').waitFor(present);
    await page.unroute(asked);
    finish(t, tab);
  });

  await t.test('a false record disproves a PDF, and silence does not', async () => {
    const { data } = recordOf(pdf);
    const forged = { success: true, data: { ...data, leafIndex: 0 } };
    const broken = await open((route) => route.fulfill({ json: forged }), pdf);
    await verdict(broken.page, 'disproven', 'The record of this PDF does not hold');
    await broken.page.unroute(asked);
    const pending = { success: false, code: 'CHECKPOINT_PENDING', message: 'm' };
    const rows: readonly [(route: Route) => Promise<void>, string][] = [
      [(route) => route.fulfill({ json: { success: true } }), 'could not be asked'],
      [(route) => route.fulfill({ status: 409, json: pending }), 'The page asks again by itself'],
      [(route) => route.abort(), 'could not be asked'],
    ];
    for (const [answer, words] of rows) {
      const { page, step } = await open(answer, pdf);
      await step.filter({ hasText: words }).locator('.mark-notChecked').waitFor(present);
      await verdict(page, 'partial', 'According to this service');
      await page.unroute(asked);
    }
  });

  await t.test('an answer that comes after an outage is taken by itself', async (t) => {
    let answers = 0;
    const tab = await open(async (route) => {
      answers += 1;
      await (answers === 1 ? route.abort() : route.fulfill({ json: recordOf(pdf) }));
    }, pdf);
    await tab.step.locator('.mark-notChecked').waitFor(present);
    await tab.page.evaluate("dispatchEvent(new Event('online'))");
    await tab.step.locator('.mark-stated').waitFor(present);
    t.equal(answers, 2);
    await tab.page.unroute(asked);
  });

  await t.test('a PDF of another service is not asked for here', async (t) => {
    const tab = await site.open('/verify');
    const elsewhere = pdfOf(signedBundle());
    await give(tab.page, file, namedFile('certificate.pdf', elsewhere));
    await verdict(tab.page, 'partial', 'According to this service');
    const step = tab.page.locator('.step:has(h3:text("Bytes of the PDF"))');
    t.match(await step.textContent(), 'names the service at proofs.example as its issuer');
    t.notOk(tab.requests.some((each) => each.url().includes('/log/certificates/')));
    finish(t, tab);
  });
}
