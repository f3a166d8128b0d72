import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { shareBundle } from '../../../src/certificates/build-bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { doubleText, excessWidth } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import {
  sampleBundle,
  sampleFile,
  sampleIssuerSigner,
  sampleSigned,
  sampleText,
  sampleWallet,
} from '../../support/sample-bundle.ts';
import { finish, give, namedFile, openTab, verdict } from '../../support/tab.ts';
import { sealed } from '../../support/vectors/vector-bases.ts';

export async function sharedInBrowser(t: Test, pages: PageSite): Promise<void> {
  await t.test(
    'a shared proof is verified by the browser, whatever the service states',
    async (t) => {
      const { browser, mainnet, testnet, certificate } = pages;
      pages.anchor();
      const { address } = sampleWallet;
      const { service, key, upload } = await startDocumentService(t, {
        services: {
          ledger: {
            gateways: [mainnet, testnet],
            ownAccounts: [mainnet, testnet].map(({ network }) => ({ network, address })),
          },
        },
      });
      const { proofId } = (await upload({ name: 'contract.txt', bytes: 'x' })).body.data;
      const json = { showFileName: true };
      const link = (await service.call('POST', `/proofs/${proofId}/links`, { key, json })).body
        .data;

      const made = await openTab(browser, link.url);
      await made.page.getByRole('heading', { name: 'Shared proof of “contract.txt”' }).waitFor();
      const stated = made.page.locator('.stated time');
      const iso = (await stated.getAttribute('datetime')) ?? '';
      t.equal(
        await stated.textContent(),
        await inLocale(made.page, iso),
        'as the reader writes it',
      );
      // The ledger of the test is made up, so its evidence is wrong, although the service states it.
      await verdict(made.page, 'disproven', 'This certificate was changed, or made up');
      await made.page.setViewportSize({ width: 390, height: 844 });
      await made.page.evaluate(doubleText);
      t.ok((await made.page.evaluate(excessWidth)) <= 0, 'text at 200 % fits a phone');
      // Its certificate is signed with a key that the service publishes in this page.
      const signed = made.page.locator('#issuer-signed');
      await signed.filter({ hasText: 'a key that this service publishes' }).waitFor();
      for (const step of ['Signature of the issuer', 'Signature of the log']) {
        const stated = made.page.locator(`.step:has(h3:text("${step}")) .mark-stated`);
        t.equal(await stated.count(), 1, `${step}: on the word of this service`);
      }
      await made.page.context().close();

      const tab = await openTab(browser, 'about:blank', { acceptDownloads: true });
      const { page } = tab;
      await page.route('**/bundle.json', (route) =>
        route.fulfill({ body: shareBundle(sampleBundle()), contentType: 'application/json' }),
      );
      await page.goto(link.url);
      await verdict(page, 'open', 'Now the file');
      t.equal(await page.locator('.verdict-proven').count(), 0, 'nothing is proven without a file');
      await lookAt(t, page, 'shared');
      await page.locator('#issuer-signed', { hasText: 'Not signed by its issuer' }).waitFor();
      for (const form of ['JSON', 'HTML']) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download report (${form})` }).click(),
        ]);
        const report = await readFile(await download.path(), 'utf8');
        for (const part of ['Issuer, as stated', 'Issuer, as signed', 'Now the file', link.url]) {
          t.ok(report.includes(part), `${form}: ${part}`);
        }
        t.notMatch(report, 'your browser needs JavaScript', form);
      }
      await page.emulateMedia({ media: 'print' });
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not printed
      const printed = await page.locator('body').innerText();
      t.match(printed, /Issuer, as signed/);
      t.notMatch(printed, /Badge for other pages|Choose files/);
      await page.emulateMedia({ media: null });
      // A certificate of the reader does not pass as the shared one, whatever its name.
      await give(page, namedFile('shared-proof.json', sampleText(sampleSigned)));
      await page.locator('.card').nth(1).waitFor();
      t.match(await page.locator('#issuer-signed').textContent(), 'Not signed by its issuer');
      await page.getByRole('button', { name: 'Remove: shared-proof.json' }).last().click();
      for (const button of ['Remove: shared-proof.json', 'Start again']) {
        const old = await page.locator('.card').elementHandle();
        await page.getByRole('button', { name: button }).click();
        await old?.waitForElementState('hidden');
        await verdict(page, 'open', 'Now the file');
        t.equal(await page.locator('.card').count(), 1, `${button}: the page still has its proof`);
      }
      await give(page, namedFile('mine.txt', sampleFile));
      await verdict(page, 'open', 'Now the nonce');
      await lookAt(t, page, 'shared-file');
      await give(page, certificate);
      await verdict(page, 'partial', 'existed no later than');
      finish(t, tab);
      await showsTheIssuer(t, pages, link.url);

      const dead = await openTab(browser, link.url, { javaScriptEnabled: false });
      await dead.page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
      t.notOk(await dead.page.isVisible('#files'));
      t.notOk(await dead.page.isVisible('#issuer-signed'));
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not shown
      const facts = await dead.page.locator('.stated').innerText();
      t.match(facts, 'Not verified: your browser needs JavaScript');
      finish(t, dead);
      await dead.page.context().close();

      await service.call('DELETE', `/proofs/${proofId}/links/${link.id}`, { key });
      await page.reload();
      await page.getByRole('heading', { name: 'This proof is no longer shared' }).waitFor();
      await lookAt(t, page, 'shared-withdrawn');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(doubleText);
      t.ok((await page.evaluate(excessWidth)) <= 0, 'an error at 200 % fits a phone');
      await page.context().close();
    },
  );
}

/** What the page says of the issuer as signed, for each state of the signature and of the bundle. */
async function showsTheIssuer(t: Test, { browser }: PageSite, url: string): Promise<void> {
  const tab = await openTab(browser, 'about:blank');
  const { page } = tab;
  const signed = page.locator('#issuer-signed');
  const says = (words: string) => signed.filter({ hasText: words }).waitFor();
  let body: string | null = null;
  await page.route('**/bundle.json', (route) =>
    body === null
      ? route.fulfill({ status: 503 })
      : route.fulfill({ body, contentType: 'application/json' }),
  );
  await page.goto(url);
  await says('could not read the proof');
  await page.getByText('The proof could not be loaded. The page tries again').waitFor();
  body = sharedText(sampleText(sampleSigned));
  await page.evaluate("dispatchEvent(new Event('online'))");
  await says('The signature is not checked yet');
  t.ok(await page.isHidden('#bundle-missing'));
  const enter = async (keys: string) => {
    if (!(await page.isVisible('#keys'))) await page.locator('.known > summary').click();
    await page.fill('#keys', keys);
    await page.locator('#keys').blur();
  };
  await enter(sampleIssuerSigner.vkey);
  await says('with a key that you entered');
  const { checksum: _, ...forged } = JSON.parse(body);
  forged.issuer.note = forged.issuer.note.replace(/.{6}=\n$/, 'AAAAAA=\n');
  body = sealed(forged);
  await page.reload();
  await says('The signature is not checked yet');
  await enter(sampleIssuerSigner.vkey);
  await says('The signature of the issuer does not hold');
  body = 'no bundle';
  await page.reload();
  await says('could not read the proof');
  tab.complaints.splice(0); // the browser's own error for the answer 503
  finish(t, tab);
  await page.context().close();
}

const sharedText = (text: string) => shareBundle(readBundle(text));

/** The time as the locale of the browser writes it. */
function inLocale(page: Page, iso: string): Promise<string> {
  return page.evaluate((time) => {
    const options = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat([...navigator.languages], {
      ...options,
      timeZone: 'UTC',
    });
    return `${format.format(new Date(time))} UTC`;
  }, iso);
}
