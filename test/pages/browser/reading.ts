import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { peakTabMemory } from '../../support/chromium.ts';
import { dropFiles, tellAnnouncements } from '../../support/in-page.js';
import type { PageSite } from '../../support/page-site.ts';
import { finish, verdict } from '../../support/tab.ts';

/** Zeros, more bytes than the tab may use. */
const large = {
  bytes: 320_000_000,
  hash: '7ab60ed519202af7933b68469d058dc3331ec7c5a27eca4412728a9a9564dc06',
};

export async function readingInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('reads dropped files', async (t) => {
    const tab = await site.open('/verify');
    await tab.page.evaluate(dropFiles, [{ name: 'note.txt', content: 'x' }]);
    await verdict(tab.page, 'open', 'Now the certificate');
    t.match(await tab.page.locator('.items').textContent(), 'note.txt');
    finish(t, tab);
  });

  await t.test('a large file is hashed in less than 300 MB of memory', async (t) => {
    await site.closeTab();
    const path = join(await newFolder(t), 'large.bin');
    const file = await open(path, 'w');
    await file.truncate(large.bytes);
    await file.close();
    const tab = await site.open('/verify', {});
    const { page } = tab;
    const heard: string[] = [];
    await page.exposeFunction('hear', (words: string) => heard.push(words));
    await page.evaluate(tellAnnouncements);
    const started = performance.now();
    await page.setInputFiles('#files', path);
    await page.getByRole('progressbar', { name: 'Reading: large.bin' }).waitFor();
    t.ok(await page.getByLabel('Transaction hash').isEditable(), 'the page stays responsive');
    const done = page.locator('.verdict-open', { hasText: 'Now the certificate' });
    await done.waitFor({ timeout: 150_000 });
    const seconds = (performance.now() - started) / 1_000;
    t.strictSame(await page.locator('.step code').allInnerTexts(), [large.hash]);
    const peak = await peakTabMemory(site.browser);
    t.comment(
      `${Math.round(large.bytes / 1e6 / seconds)} MB/s, at most ${Math.round(peak / 1e6)} MB`,
    );
    t.ok(peak > 20e6 && peak < 300e6, `${peak} bytes`);
    t.match(heard.join(), /Reading large\.bin: 50 %/);
    finish(t, tab);
  });
}
