import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { PageSite } from '../../support/page-site.ts';
import { withReversedLog } from '../../support/reversed-log.ts';
import { sampleFile, sampleProof, sampleText } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const bundle = namedFile('bundle.json', sampleText());

const asked = '**/api/public/verify/*';

async function openWith(site: PageSite, answer: Parameters<Page['route']>[1]) {
  const tab = await site.open('/verify');
  await tab.page.route(asked, answer);
  return tab;
}

export async function hostileInBrowser(t: Test, site: PageSite): Promise<void> {
  const { content, evidence } = sampleProof();

  await t.test(
    'a service that speaks for validators and for other servers proves nothing',
    async (t) => {
      const data = {
        transactionHash: content.transactionHash,
        ...{ network: 'mainnet', standalone: false, verified: true, explorerUrl: 'javascript:x' },
        ledgerIndex: content.ledgerIndex,
        ledgerCloseTime: content.closeTimeIso,
        memo: JSON.parse(evidence.memo.data),
        account: content.account,
        ...{ server: 'xrplcluster.com', isOwn: true },
        validators: { publisher: 'vl.ripple.com', listSequence: 80, listed: 35, counted: 35 },
      };
      const tab = await openWith(site, (route) => route.fulfill({ json: { success: true, data } }));
      const { page } = tab;
      await give(page, rightFile, bundle);
      await verdict(page, 'partial', 'According to this service');
      t.equal(await page.locator('.verdict-proven').count(), 0);
      t.equal(await page.locator('a[href^="javascript"]').count(), 0);
      t.notMatch(
        String(await page.locator('main').textContent()),
        /xrplcluster\.com holds|vl\.ripple\.com/,
      );
      await page.unroute(asked);
      finish(t, tab);
    },
  );

  await t.test(
    'answers that are huge, no JSON, or elsewhere leave the verdict undecided',
    async (t) => {
      const kinds: Parameters<Page['route']>[1][] = [
        (route) => route.fulfill({ json: { data: 'x'.repeat(5_000_000) } }),
        (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Proven</h1>' }),
        (route) => route.fulfill({ json: [] }),
        (route) => route.fulfill({ body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }),
        (route) => route.fulfill({ status: 302, headers: { location: '/verify' } }),
      ];
      for (const kind of kinds) {
        const tab = await openWith(site, kind);
        await give(tab.page, rightFile, bundle);
        await verdict(tab.page, 'unknown', '');
        t.equal(await tab.page.locator('.verdict-proven').count(), 0);
        await tab.page.unroute(asked);
      }
    },
  );

  await t.test('a name of a log cannot reverse or hide the words around it', async (t) => {
    const { checksum: _, ...draft } = JSON.parse(sampleText());
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, rightFile, namedFile('bundle.json', withReversedLog(draft)));
    const shown = page.locator('.step', { hasText: 'proofs.example/' });
    await shown.first().waitFor({ state: 'attached' });
    t.notMatch(await page.locator('main').textContent(), /[\u202e\u200b]/);
    finish(t, tab);
  });

  await t.test('names of files that are markup, reversed or endless are plain text', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    const names = [
      '<img src=x onerror=alert(1)>.txt',
      'contract\u202efdp.exe',
      `${'long'.repeat(2_500)}.txt`,
      '\u0000\u001b[31m\u2028.txt',
      'contract\u200b\u2060\u00ad.txt',
    ];
    await give(page, ...names.map((name, at) => namedFile(name, `other ${at}`)));
    await page.locator('table').waitFor();
    t.equal(await page.locator('main img[src="x"]').count(), 0);
    t.notMatch(await page.locator('main').textContent(), /[\u200b\u2060\u00ad\u202e]/);
    t.equal(await page.locator('.mark-ok, .verdict-proven').count(), 0);
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    t.equal(await page.evaluate<number>(width), 0, 'nothing overflows');
    finish(t, tab);
  });
}
