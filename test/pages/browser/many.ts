import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { doubleText, excessWidth, tooWide, topOf } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile, sampleProof, sampleText } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const { SCREENSHOTS: shots } = process.env;

export async function manyInBrowser(t: Test, site: PageSite): Promise<void> {
  const folder = join(await newFolder(t), 'case 17');
  await mkdir(join(folder, 'proofs'), { recursive: true });
  await writeFile(join(folder, 'contract.txt'), sampleFile);
  await writeFile(join(folder, '.DS_Store'), 'of the system');
  await writeFile(join(folder, 'proofs', 'bundle.json'), sampleText());
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.txt`), name);

  await t.test('a folder is matched by hash, with a table of verdicts', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    await page.setInputFiles('#folder', folder);
    const words = await verdict(page, 'partial', '1 of 4 files match, on the word of this service');
    t.match(words, /^On the word of this service/);
    t.match(words, 'so nothing is proven');
    const rows = page.locator('#table tbody tr');
    await rows.nth(3).waitFor();
    t.equal(await rows.count(), 4, 'without the file of the system');
    const names = await page.locator('#table tbody th').allInnerTexts();
    t.equal(names.at(-1), 'case 17/contract.txt', 'problems come first, with their folders');
    t.match(await rows.nth(3).textContent(), /On the word of this service.*2026.*bundle\.json/s);
    await page.getByRole('link', { name: 'case 17/contract.txt' }).click();
    t.match(page.url(), /#card-certificate-\d+$/);
    const [card] = await page.locator('.card', { hasText: 'bundle.json' }).allInnerTexts();
    for (const path of ['case 17/contract.txt', 'case 17/proofs/bundle.json']) {
      t.match(card, path, 'a card names the folders too');
    }
    t.ok(await page.isHidden('#overall'), 'no progress after the end');
    await lookAt(t, page, 'folder');
    await page.goto('about:blank');
    finish(t, { ...tab, page: { url: () => site.service.url } as typeof page });
  });

  await t.test('a dropped folder is read with its subfolders', async (t) => {
    const tab = await site.open('/verify', {});
    const { page } = tab;
    const zone = await page.locator('#drop').boundingBox();
    const cdp = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      const [x, y] = [(zone?.x ?? 0) + 40, (zone?.y ?? 0) + 40];
      await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
    }
    await verdict(page, 'partial', '1 of 4 files match, on the word of this service');
    const rows = page.locator('#table tbody th');
    await rows.nth(3).waitFor();
    t.ok((await rows.allInnerTexts()).includes('case 17/contract.txt'), 'names have their folder');
    finish(t, tab);
    await page.context().close();
  });

  await t.test('a folder with too many files is told as such, and not counted', async (t) => {
    const large = join(await newFolder(t), 'large');
    await mkdir(large);
    const names = Array.from({ length: 501 }, (_, at) => join(large, `${at}.txt`));
    await Promise.all(names.map((name) => writeFile(name, '')));
    const tab = await site.open('/verify');
    const { page } = tab;
    await page.setInputFiles('#folder', large);
    const told = page.locator('#not-added', { hasText: 'The folder has more than 500 files' });
    await told.waitFor();
    t.equal(await page.locator('.card').count(), 0);
    finish(t, tab);
  });

  await t.test('the drop zone stays where it is, and large text fits', async (t) => {
    const tab = await site.open('/verify', { viewport: { width: 390, height: 844 } });
    const { page } = tab;
    const place = () => page.evaluate(topOf, 'drop');
    const before = await place();
    await give(page, rightFile, namedFile('bundle.json', sampleText()));
    await verdict(page, 'partial', 'According to this service');
    t.strictSame(await place(), before);
    await give(page, namedFile('a.txt', 'a'), namedFile('b.txt', 'b'), namedFile('c.txt', 'c'));
    await page.locator('#table tbody tr').nth(3).waitFor();
    t.strictSame(await place(), before);
    await page.locator('.known > summary').click();
    await page.evaluate(doubleText);
    t.strictSame(await page.evaluate(tooWide), []);
    t.ok((await page.evaluate(excessWidth)) <= 0, 'text at 200 % fits a phone');
    if (shots) await page.screenshot({ path: join(shots, 'double-text.png'), fullPage: true });
    finish(t, tab);
    await page.context().close();
  });

  await t.test(
    'the report is saved as HTML and as JSON, and printed with all values',
    async (t) => {
      const tab = await site.open('/verify', { acceptDownloads: true });
      const { page } = tab;
      await give(page, rightFile, namedFile('<b>bundle</b>.json', sampleText()));
      await verdict(page, 'partial', 'According to this service');
      await page.locator('.chain li').waitFor();
      const save = async (name: string) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name }).click(),
        ]);
        t.match(download.suggestedFilename(), /^verification-\d{4}-\d\d-\d\dT\d{6}Z\.(html|json)$/);
        return readFile(await download.path(), 'utf8');
      };
      await page.clock.setFixedTime('2040-01-01T00:00:00Z');
      const report = JSON.parse(await save('Download report (JSON)'));
      t.notMatch(report.checkedAt, '2040', 'saving a report checks nothing');
      t.match(report, {
        format: 'proofmark/verification-report',
        version: 1,
        page: `${site.service.url}/verify`,
        verdicts: [{ kind: 'partial', code: 'stated', files: [{ name: 'contract.txt' }] }],
      });
      const values = report.verdicts
        .flatMap(({ steps }: { steps: { values: { value: string }[] }[] }) => steps)
        .flatMap((step: { values: { value: string }[] }) => step.values)
        .map(({ value }: { value: string }) => value);
      t.ok(values.length > 8);
      const html = await save('Download report (HTML)');
      const [given] = report.verdicts;
      t.match(given.certificate.notes[0], /^It names the file .*Claimed, not verified/);
      t.ok(html.includes('It names the file'), 'with the notes on files');
      for (const value of [...values, report.page]) t.ok(html.includes(value), value);
      const [said] = report.verdicts;
      t.match(said.explanation[0], 'Nobody else has confirmed that here');
      const [revision] = said.earlierRevisions;
      t.match(revision, { outcome: /^Written on / });
      for (const part of [said.explanation[0], 'Earlier revisions', revision.transactionHash]) {
        t.ok(html.includes(part), part);
      }
      t.notMatch(html, '<b>bundle', 'names are text');
      t.notMatch(html, /\{\w+\}/, 'every value is filled in');
      for (const saved of [html, JSON.stringify(report)]) {
        t.notMatch(saved, sampleProof().content.nonce, 'a report does not disclose the nonce');
        t.match(saved, 'Ärger');
      }
      t.notMatch(html, /<script|src=|href=/);
      // Chromium fires the events of printing for a PDF too.
      const printed = await page.pdf({ format: 'A4' });
      if (shots) {
        await writeFile(join(shots, 'report.pdf'), printed);
        await writeFile(join(shots, 'report.html'), html);
      }
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not printed
      const shown = await page.locator('body').innerText();
      for (const value of [
        ...values,
        report.page,
        report.checkedAt,
        'Report of a verification',
        'Proofmark',
      ]) {
        t.ok(shown.includes(value), `printed: ${value}`);
      }
      t.notMatch(shown, /Choose files|Download report/);
      await page.emulateMedia({ media: null });
      finish(t, tab);
      await page.context().close();
    },
  );

  await t.test('a small certificate does not wait for a large file', async (t) => {
    const large = join(await newFolder(t), 'large.bin');
    await writeFile(large, '');
    await truncate(large, 8_000_000_000);
    const tab = await site.open('/verify', {});
    const { page } = tab;
    await page.setInputFiles('#files', large);
    await page.locator('.item progress').waitFor();
    await give(page, namedFile('bundle.json', sampleText()));
    await page.locator('.role', { hasText: /^Certificate$/ }).waitFor();
    t.ok(await page.locator('.item progress').isVisible(), 'the large file is still being read');
    t.match(await page.locator('#overall').textContent(), '1 of 2 files read');
    await give(page, namedFile('stranger.txt', 'x'));
    await verdict(page, 'disproven', 'No certificate given belongs to this file');
    t.ok(await page.locator('.item progress').isVisible(), 'nor does any other small file');
    await page.getByRole('button', { name: 'Remove: large.bin' }).click();
    const names = ['a', 'b', 'c'].map((name) => `${name}.txt`);
    await give(page, ...names.map((name) => namedFile(name, name)));
    const rows = page.locator('#table tbody th');
    await rows.nth(3).waitFor();
    await page.setInputFiles('#files', large);
    await page.locator('.item progress').waitFor();
    await page.getByRole('button', { name: 'Remove: b.txt' }).click();
    await page.locator('.card', { hasText: 'b.txt' }).waitFor({ state: 'detached' });
    t.notOk((await rows.allInnerTexts()).includes('b.txt'), 'no row leads to a removed card');
    t.ok((await rows.allInnerTexts()).includes('c.txt'), 'the other rows stay until the end');
    finish(t, tab);
    await page.context().close();
  });

  await t.test('dates and numbers are as the reader writes them, with UTC beside', async (t) => {
    const tab = await site.open('/verify', { locale: 'de-DE', timezoneId: 'Asia/Tokyo' });
    const { page } = tab;
    await give(page, rightFile, namedFile('bundle.json', sampleText()));
    const words = await verdict(page, 'partial', 'According to this service');
    t.match(words, '20. November 2026 um 23:03:33 UTC');
    const time = page.locator('.verdict time').first();
    t.equal(await time.getAttribute('datetime'), '2026-11-20T23:03:33.000Z');
    t.equal(await time.getAttribute('title'), '2026-11-20T23:03:33.000Z');
    t.match(
      await page.locator('.step', { hasText: 'The time' }).textContent(),
      '21.11.2026, 08:03',
    );
    finish(t, tab);
    await page.context().close();
  });
}
