import { join } from 'node:path';
import type { Test } from 'tap';
import { doubleText, excessWidth, focused } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const { SCREENSHOTS: folder } = process.env;

export async function usingInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the start page verifies files where they are dropped', async (t) => {
    const tab = await site.open('/');
    const { page, requests } = tab;
    await page.getByText('Drop files and their certificates here').waitFor();
    await lookAt(t, page, 'home');
    await give(page, site.certificate, namedFile('contract.txt', sampleFile));
    await verdict(page, 'partial', 'existed no later than');
    t.equal(new URL(page.url()).pathname, '/');
    await lookAt(t, page, 'home-verdict');
    await page.getByText('For developers').click();
    const commands = page.locator('pre', { hasText: 'svc_live_' });
    t.match(await commands.textContent(), `URL=${site.service.url}`);
    await lookAt(t, page, 'home-developers');
    t.ok(requests.length < 180, `${requests.length} requests`);
    finish(t, tab);
    await page.goto('about:blank');
  });

  await t.test('text at 200 % fits a phone on every page', async (t) => {
    const tab = await site.open('/', { viewport: { width: 390, height: 844 } });
    const { page } = tab;
    for (const path of ['/', '/log', '/verify/x', '/console']) {
      await page.goto(`${site.service.url}${path}`);
      await page.evaluate(doubleText);
      t.ok((await page.evaluate(excessWidth)) <= 0, path);
    }
    await page.context().close();
  });

  await t.test('everything is reachable by keyboard in visual order', async (t) => {
    const tab = await site.open('/verify');
    const reached: string[] = [];
    for (let press = 0; press < 9; press += 1) {
      await tab.page.keyboard.press('Tab');
      reached.push(await tab.page.evaluate(focused));
    }
    const top = ['Skip to the content', 'Proofmark', 'Verify files', 'Log', 'API reference'];
    t.strictSame(reached, [...top, 'files', 'choose-folder', 'Nothing is uploaded.', 'hash']);
    finish(t, tab);
  });

  await t.test('an address without a transaction hash shows help', async (t) => {
    const tab = await site.open('/verify/%3Cscript%3E');
    t.ok(await tab.page.isVisible('#hash-mistake'));
    t.equal(await tab.page.inputValue('#hash'), '<script>');
    await lookAt(t, tab.page, 'wrong-address');
    t.match(tab.complaints.splice(0), [/400/], "the browser's own console error");
    finish(t, tab);
  });

  await t.test('without JavaScript the page says what to do', async (t) => {
    for (const path of ['/verify', '/', `/verify/${'A'.repeat(64)}`]) {
      const tab = await site.open(path, { javaScriptEnabled: false });
      await tab.page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
      t.notOk(await tab.page.isVisible('#files'), path);
      t.notOk(await tab.page.isVisible('#try-sample'), path);
      const name = `noscript${path.length > 1 ? '' : '-home'}.png`;
      if (folder) await tab.page.screenshot({ path: join(folder, name), fullPage: true });
      finish(t, tab);
      await tab.page.context().close();
    }
  });
}
