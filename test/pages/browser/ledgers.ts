import type { Route } from 'playwright-core';
import type { Test } from 'tap';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { comeOnline, focused } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import { modulesLoaded } from '../../support/modules-loaded.ts';
import type { PageSite } from '../../support/page-site.ts';
import {
  type SampleOptions,
  sampleFile,
  sampleProof,
  sampleText,
} from '../../support/sample-bundle.ts';
import { randomHash } from '../../support/scripted-anchoring.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);

export async function ledgersInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('an unknown transaction is undecided until the ledger has it', async (t) => {
    const options = { transaction: { Sequence: 8 } };
    const tab = await site.open(`/verify/${sampleProof(options).content.transactionHash}`);
    const { page } = tab;
    await verdict(page, 'unknown', 'No such transaction was found');
    await lookAt(t, page, 'unknown');
    site.anchor(options);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await verdict(page, 'open', 'Now the file');
    t.match(await page.evaluate(focused), 'Recorded on', 'the focus is kept');
    t.match(tab.complaints.splice(0), [/404/], "the browser's own console error");
    finish(t, tab);
  });

  await t.test('when a network does not answer, the verdict is undecided', async (t) => {
    const hash = randomHash();
    site.mainnet.answers.set(hash, 'unavailable');
    const tab = await site.enter(hash);
    await verdict(tab.page, 'unknown', 'The ledger did not answer');
    t.match(tab.complaints.splice(0), [/502/]);
    finish(t, tab);
  });

  await t.test(
    'when the service refuses or answers nonsense, the verdict is undecided, with the requested pause',
    async () => {
      const { page, complaints } = await site.open('/verify');
      const answers: [Parameters<Route['fulfill']>[0], string][] = [
        [{ status: 429, headers: { 'Retry-After': '1' } }, 'asks you to wait 1 second.'],
        [{ status: 503, headers: { 'Retry-After': '7200' } }, 'asks you to wait 2 hours.'],
        [{ status: 404, body: '<h1>not here</h1>' }, 'makes no sense to this page'],
        [{ status: 502, body: '<h1>bad gateway</h1>' }, 'makes no sense to this page'],
        [{ status: 200, json: { data: { verified: true } } }, 'makes no sense to this page'],
      ];
      for (const [answer, words] of answers) {
        await page.route('**/api/public/verify/*', (route) => route.fulfill(answer), { times: 1 });
        await page.fill('#hash', randomHash());
        await verdict(page, 'unknown', words);
      }
      complaints.splice(0); // the browser's own error for the failed request
    },
  );

  await t.test(
    'transactions that are no proof of this service are refused with the reason',
    async (t) => {
      const rows: [number, Parameters<typeof site.anchor>[1], string][] = [
        [100, { account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }, 'This is not a proof of this service'],
        [101, { result: 'tecNO_DST' }, 'This transaction proves nothing: it failed'],
        [102, { memos: [] }, 'This transaction is not a proof'],
      ];
      for (const [Sequence, change, words] of rows) {
        const tab = await site.enter(site.anchor({ transaction: { Sequence } }, change));
        await verdict(tab.page, 'disproven', words);
        if (Sequence === 100) await lookAt(t, tab.page, 'foreign');
        finish(t, tab);
      }
    },
  );

  await t.test('follows the chain of a revision, ten links at a time', async (t) => {
    const chain = Array.from({ length: 13 }, randomHash);
    const known = site.mainnet.answers.get(site.anchor());
    if (typeof known !== 'object') throw new Error('the sample is not anchored');
    for (const [index, each] of chain.entries()) {
      const previous = chain[index + 1] ?? null;
      const memo = { fileHash: 'b'.repeat(64), hashScheme: 'sha256-plain-v1', previous } as const;
      site.mainnet.answers.set(each, { ...known, memos: [proofMemo(memo)] } as typeof known);
    }
    const tab = await site.open(`/verify/${chain[0]}`);
    const { page } = tab;
    await page.locator('.behind > summary').click();
    await page.getByRole('button', { name: 'Show earlier revisions' }).press('Enter');
    await page.getByText('That is the whole chain').waitFor();
    t.equal(await page.getByText('cannot be followed any further').count(), 0);
    t.strictSame(await page.locator('.chain code').allInnerTexts(), chain.slice(1));
    await page.getByRole('link', { name: 'Verify this revision' }).first().click();
    await page.waitForURL(`**/verify/${chain[1]}`);
    await verdict(page, 'open', 'Now the file');
    finish(t, tab);
  });

  await t.test(
    'when the service is away, the file gets no verdict, and the page asks again by itself',
    async (t) => {
      const tab = await site.open('/verify');
      const { page } = tab;
      await modulesLoaded(page);
      await page.context().setOffline(true);
      await give(page, rightFile, site.certificate);
      await verdict(page, 'unknown', 'This service cannot be reached');
      await lookAt(t, page, 'unreachable');
      await give(page, namedFile('another.txt', 'another'));
      await verdict(page, 'disproven', 'No certificate given belongs to this file');
      await verdict(page, 'unknown', 'This service cannot be reached');
      await page.getByRole('button', { name: 'Remove: another.txt' }).click();
      let hangUp: () => Promise<void> = async () => {};
      const isHeld = new Promise<void>((resolve) => {
        const hold: Parameters<typeof page.route>[1] = (route) => {
          hangUp = () => route.abort('connectionreset');
          resolve();
        };
        page.route('**/api/public/verify/*', hold, { times: 1 });
      });
      await page.context().setOffline(false);
      await isHeld;
      await verdict(page, 'open', 'Asking what the ledger holds');
      await hangUp();
      await verdict(page, 'unknown', 'The page asks again by itself');
      await page.evaluate(comeOnline);
      await verdict(page, 'partial', 'existed no later than');
      tab.complaints.splice(0); // the browser's own errors for failed requests
      finish(t, tab);
    },
  );

  await t.test('a test network and a development ledger are named as such', async (t) => {
    const rows: [string, SampleOptions, string][] = [
      [
        'testnet',
        { change: { network: 'testnet' }, transaction: { Sequence: 11 } },
        'on a test network',
      ],
      [
        'standalone',
        { change: { network: 'testnet', standalone: true }, transaction: { Sequence: 12 } },
        'The file matches a development ledger',
      ],
    ];
    for (const [state, options, words] of rows) {
      site.anchor(options);
      const tab = await site.open('/verify');
      await give(tab.page, rightFile, namedFile('b.json', sampleText(options)));
      await verdict(tab.page, state === 'testnet' ? 'partial' : 'trial', words);
      if (state === 'standalone') await lookAt(t, tab.page, state);
      finish(t, tab);
    }
  });
}
