import { join } from 'node:path';
import type { Test } from 'tap';
import { doubleText, excessWidth, focused, tellAnnouncements } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';
import { until } from '../../support/until.ts';

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
    const [reached, outlined]: [string[], string[]] = [[], []];
    const label = "getComputedStyle(document.querySelector('label[for=files]'))";
    for (let press = 0; press < 9; press += 1) {
      await tab.page.keyboard.press('Tab');
      const at = await tab.page.evaluate(focused);
      reached.push(at);
      if ((await tab.page.evaluate(`${label}.outlineStyle`)) === 'solid') outlined.push(at);
    }
    t.strictSame(outlined, ['files'], 'its label shows the focus of a field that is not seen');
    const top = ['Skip to the content', 'Proofmark', 'Verify files', 'Log', 'API reference'];
    t.strictSame(reached, [...top, 'files', 'choose-folder', 'Nothing is uploaded.', 'hash']);
    finish(t, tab);
  });

  await t.test(
    'a verdict comes into sight, and is announced again after a new start',
    async (t) => {
      const tab = await site.open('/verify', { viewport: { width: 360, height: 500 } });
      const { page } = tab;
      const heard: string[] = [];
      await page.exposeFunction('hear', (words: string) => heard.push(words));
      await page.evaluate(tellAnnouncements);
      const verdicts = () =>
        heard.filter((words) => words.includes('existed no later than')).length;
      for (const times of [1, 2]) {
        await give(page, site.certificate, namedFile('contract.txt', sampleFile));
        await verdict(page, 'partial', 'existed no later than');
        await until('the announcement', async () => verdicts() === times);
        await until('the verdict in sight', async () => {
          const box = await page.locator('.verdict').boundingBox();
          return box !== null && box.y >= 0 && box.y + Math.min(box.height, 200) <= 500;
        });
        await page.getByRole('button', { name: 'Start again' }).click();
        await page.locator('.verdict').waitFor({ state: 'detached' });
      }
      finish(t, tab);
      await page.context().close();
    },
  );

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
