import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { test } from 'tap';
import { commit } from '../../src/domain/proof/commit.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { noChromium } from '../support/chromium.ts';
import { startConsoleSite } from '../support/console-site.ts';
import { lookAt } from '../support/look-at.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';
import { namedFile } from '../support/tab.ts';
import { until } from '../support/until.ts';

const proven = (page: Page, count: number) =>
  page.getByText(`${count} proven. All files are finished.`).waitFor();
const names = ['contract "2026" <final>.txt', 'plan.txt', 'budget.txt'] as const;
const files = names.map((name) => namedFile(name, `the content of ${name}`));
const hashOf = (at: number) =>
  createHash('sha256')
    .update(files[at]?.buffer ?? '')
    .digest('hex');

/** Drops files that the page itself makes: a JavaScript expression of a list. */
async function drop(page: Page, files: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const file of ${files}) transfer.items.add(file);
    return transfer;
  })()`);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer });
}

/** Drops a folder with two files and, in another folder, one entry too many. True if the page took it. */
const dropLargeFolder = `(() => {
  const file = (name) => (
    { isFile: true, name, fullPath: '/' + name, file: (give) => give(new File([name], name)) }
  );
  const folder = (name, inside) => ({
    ...{ isDirectory: true, name, fullPath: '/' + name },
    createReader: () => ({ readEntries: (give) => give(inside.splice(0)) }),
  });
  const inner = folder('inner', Array.from({ length: 10_001 }, (_, at) => file('many-' + at)));
  const outer = folder('outer', [file('a'), file('b'), inner]);
  const dataTransfer = { types: ['Files'], items: [{ webkitGetAsEntry: () => outer }] };
  return !dispatchEvent(Object.assign(new Event('drop', { cancelable: true }), { dataTransfer }));
})()`;

test('owners prove files by dropping them', { skip: noChromium }, async (t) => {
  const site = await startConsoleSite(t);
  const { service } = site;
  const { store, services } = service;
  (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
  const { organisationId, key, workspaceId } = await service.openOrganisation();

  await t.test('from the first sign-in to the first proof in less than a minute', async (t) => {
    const startedAt = performance.now();
    const { page, complaints, requests } = await site.join(await site.invite(organisationId));
    await page.getByRole('link', { name: 'Prove files' }).click();
    await lookAt(t, page, 'console-prove-empty');
    await page.setInputFiles('#files', [...files]);
    await proven(page, 3);
    const tookMs = performance.now() - startedAt;
    t.ok(tookMs < (await onThisMachine(60_000)), `${tookMs} ms`);
    await lookAt(t, page, 'console-prove-done');
    const sent = requests.map((request) => request.postData() ?? '').join('');
    for (const { buffer } of files) t.notOk(sent.includes(buffer.toString()), 'no file is sent');

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the nonces' }).click();
    const nonces = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    t.equal(nonces.length, 3);
    for (const [at, kept] of nonces.entries()) {
      t.equal(kept.fileName, names[at]);
      t.equal(kept.fileHash, hashOf(at));
      t.equal(kept.proofCommitment, commit(kept.proofNonce, kept.fileHash as Digest));
      const { body } = await service.call('GET', `/proofs/${kept.proofId}`, { key });
      t.match(body.data, { fileHash: kept.fileHash, blockchainStatus: 'completed' });
    }
    const certificate = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Certificate (PDF) of plan.txt' }).click();
    const pdf = await readFile(await (await certificate).path());
    t.match(pdf.subarray(0, 5).toString(), '%PDF-');
    const calls = () =>
      requests.filter((request) => request.url().endsWith('/console/prove/certificate')).length;
    const before = calls();
    const all = page.getByRole('button', { name: 'Download the certificates' });
    await all.click();
    await until('the other certificates', async () => calls() >= before + 2);
    await until('the end of the downloads', async () => all.isEnabled());
    await all.click();
    await page.getByText('All certificates were downloaded.').waitFor();
    t.equal(calls(), before + 2, 'each certificate is asked for once');

    await page.setInputFiles('#files', [files[0] ?? namedFile('', '')]);
    await page.getByText('proven before').waitFor();
    t.strictSame(complaints, [], 'no policy is violated and no script fails');
    t.strictSame(
      requests.map((request) => new URL(request.url()).origin).filter((each) => each !== site.url),
      [],
      'nothing comes from elsewhere',
    );
    const sizes = await Promise.all(
      requests
        .filter((request) => /\/pages\/|console\/prove$/.test(request.url()))
        .map(async (request) => (await request.sizes()).responseBodySize),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    t.comment(`${total} bytes for joining, keys and proving together`);
    t.ok(total < 150_000, `${total} bytes`);
    await page.context().close();
  });

  await t.test('dropped files are uploaded only if asked', async (t) => {
    const link = await site.invite(organisationId, 'up@example.org');
    const { page, complaints } = await site.join(link, 'Uma');
    await page.goto(`${site.url}/console/prove`);
    await page.getByLabel('Also upload the files').check();
    await drop(page, "[new File(['kept by the service'], 'kept.txt')]");
    await proven(page, 1);
    const { body } = await service.call('GET', `/documents?workspace=${workspaceId}`, { key });
    const kept = body.data.find((each: { fileName: string }) => each.fileName === 'kept.txt');
    const file = await service.call('GET', `/documents/${kept.documentId}/file`, { key });
    t.equal(file.text, 'kept by the service');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  await t.test('a hundred files and one of 40 MB in one go, and not more than 1,000', async () => {
    const { page } = await site.join(await site.invite(organisationId, 'many@example.org'), 'Mo');
    await page.goto(`${site.url}/console/prove`);
    await drop(
      page,
      `[new File([new Uint8Array(40_000_000).fill(7)], 'large.bin'),
        ...Array.from({ length: 120 }, (_, at) => new File(['content ' + at], at + '.txt'))]`,
    );
    await proven(page, 121);
    await drop(
      page,
      "Array.from({ length: 880 }, (_, at) => new File(['more ' + at], at + '.md'))",
    );
    await page.getByText('This page proves at most 1,000 files').waitFor();
    await page.context().close();
  });

  await t.test(
    'of a folder that is too large nothing is added, and the page says so',
    async (t) => {
      const { page } = await site.join(await site.invite(organisationId, 'big@example.org'), 'Bo');
      await page.goto(`${site.url}/console/prove`);
      await until('the page takes the drop', () => page.evaluate<boolean>(dropLargeFolder));
      await page.getByText('more than 10,000 files and folders. Nothing was added.').waitFor();
      t.equal(await page.locator('#proofs li').count(), 0);
      await page.context().close();
    },
  );

  await t.test('a session that ends meanwhile loses nothing', async (t) => {
    const link = await site.invite(organisationId, 'ends@example.org');
    const { page } = await site.join(link, 'Enda');
    await page.goto(`${site.url}/console/prove`);
    await page.context().clearCookies();
    await page.setInputFiles('#files', [namedFile('late.txt', 'late')]);
    await page.getByText('Your session has ended. Nothing on this page is lost').waitFor();
    await lookAt(t, page, 'console-prove-ended');
    const person = await site.signInAgain(page);
    t.ok(person);
    await page.getByRole('button', { name: 'Continue' }).click();
    await proven(page, 1);
    await page.context().close();
  });

  await t.test('an outage is waited out, and the way to go on stays in sight', async (t) => {
    const { page } = await site.join(await site.invite(organisationId, 'out@example.org'), 'Otto');
    await page.clock.install();
    await page.goto(`${site.url}/console/prove`);
    let renewals = 0;
    await page.route('**/console/prove', (route) => {
      renewals += 1;
      return renewals === 1 ? route.abort() : route.fulfill({ status: 502, body: 'bad gateway' });
    });
    await page.route('**/console/prove/hashes', (route) => route.abort());
    await page.setInputFiles('#files', [namedFile('early.txt', 'early')]);
    await page.getByText('Sending stopped: the service does not answer.').waitFor();
    for (const times of [1, 2]) {
      await page.clock.fastForward(5_000);
      await until('another attempt', async () => renewals === times);
    }
    await page.getByText('Sending stopped: the service has a problem.').waitFor();
    await page.unroute('**/console/prove');
    await page.unroute('**/console/prove/hashes');
    await page.clock.fastForward(5_000);
    await proven(page, 1);
    t.notOk(await page.isVisible('#trouble'));

    await page.context().clearCookies();
    await page.setInputFiles('#files', [namedFile('later.txt', 'later')]);
    await page.getByText('Your session has ended.').waitFor();
    await drop(page, "Array.from({ length: 1000 }, (_, at) => new File(['' + at], at + '.md'))");
    await page.getByText('This page proves at most 1,000 files').waitFor();
    t.ok(await page.getByRole('button', { name: 'Continue' }).isVisible());
    await page.context().close();
  });

  await t.test('the numbers of an open page follow, without loading it again', async (t) => {
    const link = await site.invite(organisationId, 'usage@example.org', 'member');
    const { page, requests, complaints } = await site.join(link, 'Ute');
    t.equal(await page.getByRole('link', { name: 'Prove files' }).count(), 0, 'members only read');
    await page.goto(`${site.url}/console/usage`);
    const proofs = page.locator('[data-live="proofs"]');
    const before = (await proofs.textContent()) ?? '';
    const loaded = () => requests.filter((request) => /console\/usage$/.test(request.url())).length;
    const loads = loaded();
    const json = { hash: 'ab'.repeat(32), workspace: workspaceId };
    await service.call('POST', '/proofs', { key, json });
    await until('other numbers', async () => (await proofs.textContent()) !== before);
    t.equal(loaded(), loads);
    await lookAt(t, page, 'console-usage-live');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  await t.test(
    'a page that missed too much says so once, unless it asks again itself',
    async (t) => {
      const { page } = await site.join(
        await site.invite(organisationId, 'hid@example.org'),
        'Hild',
      );
      let told = 0;
      await page.route('**/console/live?*', (route) => {
        told += 1;
        const body = `retry: 50\n\nid: ${told}\nevent: stale\ndata: {}\n\n`;
        return route.fulfill({ contentType: 'text/event-stream', body });
      });
      for (const [path, notes] of [
        ['usage', 1],
        ['prove', 0],
      ] as const) {
        told = 0;
        await page.goto(`${site.url}/console/${path}`);
        await until('the third message', async () => told > 3);
        t.equal(await page.getByText('This page is out of date.').count(), notes, path);
      }
      await page.context().close();
    },
  );

  await t.test('everything is reached with the keyboard', async (t) => {
    const { page } = await site.join(await site.invite(organisationId, 'kb@example.org'), 'Kay');
    await page.goto(`${site.url}/console/prove`);
    const reached: string[] = [];
    for (let steps = 0; steps < 25; steps += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate<string>(
        'document.activeElement.id || document.activeElement.textContent.trim()',
      );
      reached.push(at);
    }
    for (const place of ['Skip to the content', 'workspace', 'upload', 'files', 'folder']) {
      t.ok(reached.includes(place), `${place} in ${reached.join(', ')}`);
    }
    await page.context().close();
  });
});
