import { readFile } from 'node:fs/promises';
import type { Test } from 'tap';
import { shareBundle } from '../../../src/certificates/build-bundle.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { doubleText, excessWidth } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleBundle, sampleFile, sampleWallet } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, openTab, verdict } from '../../support/tab.ts';

export async function sharedInBrowser(t: Test, pages: PageSite): Promise<void> {
  await t.test(
    'a shared proof is verified by the browser, whatever the service states',
    async (t) => {
      const { browser, mainnet, testnet, certificate } = pages;
      pages.anchor();
      const { address } = sampleWallet;
      const { service, key, upload } = await startDocumentService(t, {
        services: {
          gateways: [mainnet, testnet],
          ownAccounts: [mainnet, testnet].map(({ network }) => ({ network, address })),
        },
      });
      const { proofId } = (await upload({ name: 'contract.txt', bytes: 'x' })).body.data;
      const json = { showFileName: true };
      const link = (await service.call('POST', `/proofs/${proofId}/links`, { key, json })).body
        .data;

      const made = await openTab(browser, link.url);
      await made.page.getByRole('heading', { name: 'Shared proof of “contract.txt”' }).waitFor();
      // The ledger of the test is made up, so its evidence is wrong, although the service states it.
      await verdict(made.page, 'disproven', 'This certificate was changed, or made up');
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
      }
      await page.emulateMedia({ media: 'print' });
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not printed
      const printed = await page.locator('body').innerText();
      t.match(printed, /Issuer, as signed/);
      t.notMatch(printed, /Badge for other pages|Choose files/);
      await page.emulateMedia({ media: null });
      await give(page, namedFile('mine.txt', sampleFile));
      await verdict(page, 'open', 'Now the nonce');
      await lookAt(t, page, 'shared-file');
      await give(page, certificate);
      await verdict(page, 'partial', 'existed no later than');
      finish(t, tab);

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
