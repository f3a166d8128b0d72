import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { comeOnline, holdFiles, learn } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile, sampleLogKey } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);

export async function unreadableInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test(
    'a file that cannot be read gets a verdict, and the others keep theirs',
    async (t) => {
      const gone = join(await newFolder(t), 'gone.bin');
      await writeFile(gone, 'x');
      const tab = await site.open('/verify');
      const { page } = tab;
      await give(page, site.certificate, rightFile);
      await verdict(page, 'partial', 'existed no later than');
      await page.evaluate(holdFiles);
      await page.setInputFiles('#files', gone);
      await rm(gone);
      await page.evaluate(learn);
      await verdict(page, 'unknown', 'This file could not be read');
      await verdict(page, 'partial', '1 of 2 files match');
      await lookAt(t, page, 'unread');
      await page.getByRole('button', { name: 'Remove: gone.bin' }).click();
      await verdict(page, 'partial', 'existed no later than');
      t.equal(await page.locator('.verdict').count(), 1);
      finish(t, tab);
    },
  );

  await t.test(
    'when the reading thread is not loaded, the page loads it again by itself',
    async (t) => {
      const tab = await site.open('/');
      const { page } = tab;
      await page.route('**/reading-worker.js', (route) => route.abort());
      await page.goto(`${site.service.url}/verify`);
      await give(page, rightFile);
      const words = await verdict(page, 'unknown', 'A part of this page is missing');
      t.match(words, 'This says nothing about your file');
      await lookAt(t, page, 'reader-missing');
      await page.unroute('**/reading-worker.js');
      await page.evaluate(comeOnline);
      await verdict(page, 'open', 'Now the certificate');
      await give(page, site.certificate);
      await verdict(page, 'partial', 'existed no later than');
      tab.complaints.splice(0); // the browser's own errors for failed requests
      finish(t, tab);
    },
  );

  await t.test('a part of the page that is missing is told, and no folder is lost', async (t) => {
    const folder = join(await newFolder(t), 'case 18');
    await mkdir(folder);
    await writeFile(join(folder, 'contract.txt'), sampleFile);
    const tab = await site.open('/', {});
    const { page } = tab;
    const parts = /\/(folder-files|known-keys|named-server)\.js/;
    await page.route(parts, (route) => route.abort());
    await page.goto(`${site.service.url}/verify`);
    await page.setInputFiles('#folder', folder);
    const told = page.locator('#not-added');
    await told.filter({ hasText: 'could not be loaded. Check your connection' }).waitFor();
    t.match(
      await page.locator('#announcement').textContent(),
      'The part of this page that reads folders could not be loaded',
    );
    await lookAt(t, page, 'folder-part-missing');
    await give(page, rightFile);
    await verdict(page, 'open', 'Now the certificate');
    t.notOk(await told.isVisible());
    await page.locator('.known > summary').click();
    await page.fill('#keys', sampleLogKey.vkey);
    await page.locator('#keys').blur();
    await page.locator('#keys-mistake', { hasText: 'could not be loaded' }).waitFor();
    await page.fill('#server', 'xrplcluster.com');
    await page.keyboard.press('Enter');
    await page.locator('#server-mistake', { hasText: 'could not be loaded' }).waitFor();
    await page.unroute(parts);
    await page.setInputFiles('#folder', folder);
    await page.locator('.name', { hasText: 'case 18/contract.txt' }).waitFor();
    await page.locator('#keys').fill('nonsense');
    await page.locator('#keys').blur();
    await page.locator('#keys-mistake', { hasText: 'No key was found on line 1' }).waitFor();
    tab.complaints.splice(0); // the browser's own errors for failed requests
    finish(t, tab);
    await page.context().close();
  });
}
