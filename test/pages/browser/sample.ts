import type { Test } from 'tap';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

export async function sampleInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the sample verifies by signatures alone, and is no proof', async (t) => {
    const tab = await site.open('/', {});
    const { page, requests } = tab;
    await page.getByRole('button', { name: 'Try it with a sample' }).click();
    const words = await verdict(page, 'trial', 'The sample verifies');
    t.match(words, /Test only: no evidential value/);
    t.match(words, /this proves nothing/);
    t.equal(await page.locator('.verdict-proven').count(), 0, 'a sample is never green');
    const ledger = page.locator('.step', { hasText: 'validators of a made-up' });
    t.match(await ledger.textContent(), /4 of the 5 validators of a made-up network/);
    const asked = requests.filter((request) => request.url().includes('/api/'));
    t.strictSame(asked, [], 'nobody is asked');
    t.ok(await page.isDisabled('#try-sample'), 'the sample is given once');
    await lookAt(t, page, 'home-sample');
    await page.getByRole('button', { name: 'Start again' }).click();
    t.notOk(await page.isDisabled('#try-sample'));
    finish(t, tab);
    await page.context().close();
  });

  await t.test('the files of the sample can be downloaded, altered and dropped', async (t) => {
    const tab = await site.open('/', {});
    const { page } = tab;
    const load = async (path: string) => {
      const answer = await fetch(`${site.service.url}${path}`);
      t.equal(answer.status, 200, path);
      return Buffer.from(await answer.arrayBuffer());
    };
    const file = await load('/pages/sample/file.txt');
    const certificate = await load('/pages/sample/certificate.pdf');
    const { pages } = await readPdf(certificate);
    t.equal(pages.length, 3, 'a certificate as it is issued now');
    t.match(pages.at(-1), /verify\.py --certificate/);
    await give(page, namedFile('mine.txt', `${file}!`), namedFile('certificate.pdf', certificate));
    await verdict(page, 'disproven', 'No certificate given belongs to this file');
    finish(t, tab);
    await page.context().close();
  });

  await t.test('a sample that cannot be loaded is told', async (t) => {
    const tab = await site.open('/', {});
    const { page } = tab;
    await page.route('**/pages/sample/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Try it with a sample' }).click();
    await page.getByText('The sample could not be loaded').waitFor();
    t.notOk(await page.isDisabled('#try-sample'));
    tab.complaints.splice(0); // the browser's own errors for the aborted requests
    finish(t, tab);
    await page.context().close();
  });
}
