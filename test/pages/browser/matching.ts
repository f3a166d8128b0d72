import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { dropFiles, focused } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile, sampleProof, sampleText } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const wrongFile = namedFile('letter.txt', 'Something else.\n');
const plain = { hashScheme: 'sha256-plain-v1', transaction: { Sequence: 60 } } as const;

export async function matchingInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test(
    'the right file, its certificate and a wrong file are matched in any order',
    async (t) => {
      const given = [rightFile, site.certificate, wrongFile];
      for (const order of [given, given.toReversed()]) {
        const tab = await site.open('/verify');
        const { page } = tab;
        await give(page, ...order);
        const summary = await verdict(page, 'partial', '1 of 2 files match');
        t.match(summary, 'Files without a matching certificate or transaction: 1');
        t.match(summary, 'claims, and not verified');
        const right = page.locator('.card', { hasText: 'contract.txt' });
        t.match(
          await right.locator('[class~=verdict-partial]').textContent(),
          'existed no later than',
        );
        t.match(await right.locator('.items').textContent(), 'certificate.pdf');
        const wrong = page.locator('.card', { hasText: 'letter.txt' });
        t.match(await wrong.textContent(), 'No certificate given belongs to this file');
        t.equal(await page.locator('.card').count(), 2);
        t.match(
          await page.locator('#announcement').textContent(),
          'On the word of this service: 1 of 2 files match',
        );
        if (order === given) await lookAt(t, page, 'right-and-wrong');
        finish(t, tab);
      }
    },
  );

  await t.test(
    'pairs, copies, a missing file and a transaction match, given singly or in one drop',
    async (t) => {
      site.anchor(plain);
      const loneMemo = proofMemo({ fileHash: 'd'.repeat(64), hashScheme: 'sha256-plain-v1' });
      const lone = { transaction: { Sequence: 61 }, hashScheme: 'sha256-plain-v1' } as const;
      const typed = site.anchor(lone, { memos: [loneMemo] });
      const tab = await site.open(`/verify/${typed}`);
      const { page } = tab;
      await verdict(page, 'open', 'Now the file');
      await give(page, site.certificate);
      await give(page, namedFile('copy of contract.txt', sampleFile), rightFile);
      await give(page, namedFile('second.json', sampleText(plain)), wrongFile);
      await verdict(page, 'partial', '2 of 3 files match');
      await verdict(page, 'open', 'File not given');
      const pairs = page.locator('.card', { has: page.locator('[class~=verdict-partial]') });
      t.equal(await pairs.count(), 2);
      for (const pair of await pairs.all()) {
        t.match(await pair.textContent(), /copy of contract\.txt.*contract\.txt/s);
      }
      await lookAt(t, page, 'many');
      finish(t, tab);
    },
  );

  await t.test(
    'cards are opened, removed and cleared by keyboard, and the focus is kept',
    async (t) => {
      const tab = await site.open('/verify');
      const { page } = tab;
      await give(page, rightFile, site.certificate, wrongFile);
      await verdict(page, 'partial', '1 of 2 files match');
      const pair = page.locator('.card', { hasText: 'contract.txt' });
      t.notOk(await pair.locator('.step').first().isVisible(), 'closed if there are several');
      await pair.locator('summary').focus();
      await page.keyboard.press('Enter');
      await pair.getByText('That is the whole chain').waitFor();
      t.equal(await page.evaluate(focused), 'Step by step', 'although the card is rendered again');
      await page.getByRole('button', { name: 'Remove: letter.txt' }).press('Enter');
      t.equal(await page.evaluate(focused), 'files');
      await verdict(page, 'partial', 'existed no later than');
      t.equal(await page.locator('.verdict').count(), 1);
      await page.getByRole('button', { name: 'Start again' }).press('Enter');
      await page.locator('#result').waitFor({ state: 'hidden' });
      t.equal(await page.evaluate(focused), 'files');
      t.notOk(await page.isVisible('#start-again'));
      finish(t, tab);
    },
  );

  await t.test('accepts 500 files at a time, and none of a larger drop', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    const files = (count: number, name: string) =>
      Array.from({ length: count }, (_, at) => ({
        name: `${name} ${at}.txt`,
        content: `${name} ${at}`,
      }));
    await page.evaluate(dropFiles, files(501, 'too many'));
    await page.locator('#not-added', { hasText: 'You gave 501 files at once' }).waitFor();
    t.equal(await page.locator('.card').count(), 0);
    await lookAt(t, page, 'too-many');
    await page.evaluate(dropFiles, files(499, 'file'));
    const started = performance.now();
    await verdict(page, 'open', 'Something is still missing');
    t.comment(`499 files in ${Math.round(performance.now() - started)} ms`);
    t.notOk(await page.isVisible('#not-added'));
    await give(page, rightFile, site.certificate);
    await page
      .locator('#not-added', { hasText: 'It has 499 already, and you gave 2 more' })
      .waitFor();
    t.equal(await page.locator('.card').count(), 499, 'no file was accepted');
    await page.getByRole('button', { name: 'Remove: file 7.txt' }).click();
    await give(page, rightFile, site.certificate);
    await verdict(page, 'partial', '1 of 499 files match');
    finish(t, tab);
  });

  await t.test(
    'distinguishes the file of an earlier revision from an unrelated file',
    async (t) => {
      const draft = namedFile('draft.txt', 'The first draft.\n');
      const previous = String(sampleProof().content.previousTransactionHash);
      const before = site.mainnet.answers.get(previous);
      if (typeof before !== 'object') throw new Error('the earlier revision is not anchored');
      t.teardown(() => site.mainnet.answers.set(previous, before));
      const fileHash = createHash('sha256').update(draft.buffer).digest('hex') as Digest;
      const memos = [proofMemo({ fileHash, hashScheme: 'sha256-plain-v1' })];
      site.mainnet.answers.set(previous, { ...before, memos } as typeof before);
      const tab = await site.open('/verify');
      await give(tab.page, draft, site.certificate);
      await verdict(
        tab.page,
        'partial',
        'An earlier revision, not the one that the certificate is about',
      );
      await verdict(tab.page, 'open', 'File not given, only an earlier revision of it');
      await lookAt(t, tab.page, 'earlier-revision');
      finish(t, tab);
    },
  );
}
