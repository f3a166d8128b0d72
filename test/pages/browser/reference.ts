import type { Test } from 'tap';
import { routes } from '../../../src/http/routes.ts';
import { doubleText, excessWidth, focused, tryToSend, writeHtml } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { isThorough } from '../../support/run-count.ts';
import { finish } from '../../support/tab.ts';

const desktop = { viewport: { width: 1_280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 } };

/** Axe takes long for the whole page, and its calls are built alike: without CI, some stand for all. */
const someCalls = '#createProof, #getProof, #onCertificateGenerated, #receive-deliveries';
const checked = isThorough ? 'html' : { exclude: `article.call:not(${someCalls})` };

export async function referenceInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the reference reads without scripts, on a phone too', async (t) => {
    const options = { ...phone, javaScriptEnabled: false };
    const tab = await site.open('/reference', options);
    const { page } = tab;
    t.equal(await page.locator('article.call .samples').count(), calls.length + 1);
    const proof = page.locator('#createProof');
    t.ok(await proof.getByText('curl -sS').isVisible());
    await proof.getByLabel('Python', { exact: true }).check();
    t.ok(await proof.getByText('from urllib.request').isVisible());
    t.notOk(await proof.getByText('curl -sS').isVisible());
    t.equal(await page.getByRole('button', { name: 'Try it' }).count(), 0);
    finish(t, tab);
    await page.context().close();
  });

  await t.test('the reference follows the chosen language and addresses of parts', async (t) => {
    const tab = await site.open('/reference#/Proofs/createProof', desktop);
    const { page } = tab;
    await page.waitForURL('**/reference#createProof');
    const current = page.locator('.contents [aria-current]');
    await current.filter({ hasText: 'Proves a file by its hash' }).waitFor();
    await page.locator('#getProof').getByLabel('TypeScript', { exact: true }).check();
    t.ok(await page.locator('#createProof .sample.typescript').isVisible());
    t.notOk(await page.locator('#createProof .sample.curl').isVisible());
    await lookAt(t, page, 'reference', checked);
    await page.emulateMedia({ media: 'print' });
    t.ok(await page.locator('#createProof .sample.typescript').isVisible(), 'examples are printed');
    t.notOk(await page.locator('#createProof .samples fieldset').isVisible());
    await page.setViewportSize({ width: 680, height: 960 });
    for (const cell of ['thead th', 'tbody td', 'tbody th']) {
      const box = await page.locator(`.codes ${cell}`).first().boundingBox();
      t.ok(Number(box?.height) < 40, `${cell} of the errors is printed on one line`);
    }
    await page.emulateMedia({ media: null });
    await page.setViewportSize(phone.viewport);
    await page.evaluate(doubleText);
    t.ok((await page.evaluate(excessWidth)) <= 0, 'text at 200 % fits a phone');
    finish(t, tab);
    await page.context().close();
  });

  await t.test(
    'the search of the reference finds calls, fields and codes by keyboard',
    async (t) => {
      const tab = await site.open('/reference', desktop);
      const { page } = tab;
      const found = page.locator('#found a');
      await page.getByPlaceholder('Search (press /)').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('rotate secret');
      t.match(await found.first().textContent(), /secret/i);
      t.equal(
        await found.first().locator('.excerpt').textContent(),
        '/api/v1/webhooks/{id}/rotate-secret',
        'the path of the call, and not its title again',
      );
      await page.keyboard.press('ArrowDown');
      t.match(await page.evaluate(focused), /secret/i);
      await lookAt(t, page, 'reference-search', '.side');
      await page.keyboard.press('ArrowUp');
      t.equal(await page.evaluate(focused), 'wanted');
      await page.keyboard.press('Enter');
      t.match(page.url(), /#rotateWebhookSecret$/);
      for (const [words, id] of [
        ['PROOF_NOT_FOUND', 'error-PROOF_NOT_FOUND'],
        ['overlapSeconds', 'rotateWebhookSecret'],
        ['certificate.generated', 'onCertificateGenerated'],
      ] as const) {
        await page.fill('#wanted', words);
        t.equal(await found.first().getAttribute('href'), `#${id}`, words);
      }
      await page.fill('#wanted', 'xyzzy');
      t.equal(await found.count(), 0);
      await page.press('#wanted', 'Escape');
      t.ok(await page.locator('.contents').isVisible());
      finish(t, tab);
      await page.context().close();
    },
  );

  await t.test('the reference sends calls with a key that stays in the page', async (t) => {
    const { key, workspaceId } = await site.service.openOrganisation();
    const tab = await site.open('/reference', desktop);
    const { page, requests, complaints } = tab;
    const attempt = async (id: string) => {
      await page.locator(`#${id}`).getByRole('button', { name: 'Try it' }).click();
      return page.locator(`#${id} .attempt`);
    };
    const list = await attempt('listDocuments');
    t.match(await page.evaluate(focused), /listDocuments-key/);
    await page.locator('#listDocuments-key').fill(key);
    await page.locator('#listDocuments-limit').fill('7');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    t.match(await list.locator('.outcome').textContent(), /"limit": 7/);
    const sent = requests.findLast((request) => request.url().includes('/api/v1/documents'));
    t.equal(sent?.url(), `${site.service.url}/api/v1/documents?limit=7`);
    t.equal(await sent?.headerValue('authorization'), `Bearer ${key}`);
    const id = await (await sent?.response())?.headerValue('x-request-id');
    t.match(await list.locator('.outcome').textContent(), `Request id: ${id}`);
    t.notMatch(await list.locator('.outcome').textContent(), key, 'the key is not shown');
    await lookAt(t, page, 'reference-answer', '#listDocuments');

    // The run is large, so that its answer is cut.
    const run = await attempt('recordAgentRun');
    t.equal(await page.locator('#recordAgentRun-key').inputValue(), key, 'typed once');
    const decisions = Array.from({ length: 300 }, (_, at) => ({ subject: `s${at}`, action: 'x' }));
    const report = { runId: 'large', workspace: workspaceId, decisions };
    await page.locator('#recordAgentRun-body').fill(JSON.stringify(report));
    await run.getByRole('button', { name: 'Send POST' }).click();
    await run.getByText('201 Created').waitFor();
    const whole = await attempt('getAgentRun');
    await page.locator('#getAgentRun-id').fill('large');
    await whole.getByRole('button', { name: 'Send GET' }).click();
    await whole.getByText('The first 20,000 of').waitFor();
    t.equal(await whole.getByRole('button', { name: 'Save the answer' }).count(), 1);

    const upload = await attempt('uploadDocument');
    await page.locator('#uploadDocument-file').setInputFiles({
      name: 'empty.txt',
      mimeType: 'text/plain',
      buffer: Buffer.alloc(0),
    });
    await page.locator('#uploadDocument-workspace').fill(workspaceId);
    await upload.getByRole('button', { name: 'Send POST' }).click();
    await upload.getByText('400 Bad Request').waitFor();
    t.match(await upload.locator('.outcome').textContent(), /file/, 'the file was received');

    t.strictSame(await page.evaluate(stored), { local: 0, session: 0, cookie: '' });
    t.notMatch(page.url(), key);
    await page.evaluate(leave);
    t.equal(await page.locator('#listDocuments-key').inputValue(), '', 'forgotten on leaving');
    const foreign = requests.filter((one) => !one.url().startsWith(`${site.service.url}/`));
    t.strictSame(
      foreign.map((one) => one.url()),
      [],
    );
    const isRefusal = (text: string) => text.includes('400 (Bad Request)');
    t.strictSame(
      complaints.filter((text) => !isRefusal(text)),
      [],
      'no policy is violated',
    );
    await page.context().close();
  });

  await t.test('the search field on a phone names no key', async (t) => {
    const { page } = await site.open('/reference', { ...phone, isMobile: true, hasTouch: true });
    await page.locator('#search').waitFor();
    t.equal(await page.locator('#wanted').getAttribute('placeholder'), 'Search');
    await page.context().close();
  });

  await t.test('the policy of the reference keeps it from other hosts and from HTML', async (t) => {
    const { page, complaints } = await site.open('/reference', phone);
    t.ok((await page.evaluate(excessWidth)) <= 0, 'fits a phone screen');
    t.equal(await page.evaluate(tryToSend, 'https://example.com/'), 'refused');
    t.equal(await page.evaluate(writeHtml), 'refused', 'no text becomes HTML');
    t.ok(complaints.length > 0);
    await page.context().close();
  });
}

const calls = [...routes.based, ...routes.root];

/** Data that the page keeps beyond its memory. Runs in the page. */
function stored() {
  const { localStorage, sessionStorage, document } = globalThis as unknown as {
    localStorage: { length: number };
    sessionStorage: { length: number };
    document: { cookie: string };
  };
  const { length: local } = localStorage;
  return { local, session: sessionStorage.length, cookie: document.cookie };
}

/** Tells the page that it is left, as when it goes to the cache of `back`. Runs in the page. */
function leave() {
  (globalThis as unknown as EventTarget).dispatchEvent(new Event('pagehide'));
}
