import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { holdFiles, learn } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);

export async function givenLastInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the verdict is of the file that was given last, read or not', async (t) => {
    const folder = await newFolder(t);
    const slow = join(folder, 'slow.bin');
    await writeFile(slow, '');
    await truncate(slow, 30_000_000);
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, site.certificate);
    await verdict(page, 'open', 'Now the file');
    await page.setInputFiles('#files', slow);
    await give(page, rightFile);
    await verdict(page, 'proven', 'its proof holds');
    t.match(await page.locator('.items').textContent(), 'contract.txt takes the place of slow.bin');

    const gone = join(folder, 'gone.bin');
    await writeFile(gone, 'x');
    await page.evaluate(holdFiles);
    await page.setInputFiles('#files', gone);
    await rm(gone);
    await page.evaluate(learn);
    await verdict(page, 'unknown', 'Not everything could be read');
    await lookAt(t, page, 'unread');
    await page.getByRole('button', { name: 'Remove: gone.bin' }).click();
    await verdict(page, 'proven', 'its proof holds');
    finish(t, tab);
  });

  await t.test('a reader that does not start is told, and nothing waits for it', async () => {
    const tab = await site.open('/');
    const { page } = tab;
    await page.route('**/reading-worker.js', (route) => route.abort());
    await page.goto(`${site.service.url}/verify`);
    await give(page, rightFile);
    await verdict(page, 'unknown', 'Not everything could be read');
    await page.unroute('**/reading-worker.js');
  });
}
