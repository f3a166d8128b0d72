import { readFile } from 'node:fs/promises';
import type { Test } from 'tap';
import { modulesLoaded } from '../../support/modules-loaded.ts';
import type { PageSite } from '../../support/page-site.ts';
import { sampleFile, sampleText } from '../../support/sample-bundle.ts';
import { syntheticNetwork } from '../../support/synthetic-network.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const network = syntheticNetwork(5);
const file = namedFile('contract.txt', sampleFile);
const publishers = '/pages/verifier/evidence/known-publishers.js';

export async function offlineInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('an open page proves a certificate with the network off', async (t) => {
    const tab = await site.open('/', { acceptDownloads: true });
    const { page, requests } = tab;
    // Nobody can sign for the publishers that the page knows.
    const known = await (await fetch(`${site.service.url}${publishers}`)).text();
    const body = known.replace(/'ED2677\w+'/, `'${network.publisherKey}'`);
    await page.context().route(`**${publishers}`, (route) => {
      return route.fulfill({ body, contentType: 'text/javascript; charset=utf-8' });
    });
    await page.goto(`${site.service.url}/verify`);
    await modulesLoaded(page);
    await page.context().setOffline(true);
    const before = requests.length;
    const attested = namedFile('attested.json', sampleText({ attested: { network } }));
    await give(page, file, attested);
    await verdict(page, 'proven', 'existed no later than');
    await page.getByText('4 of the 5 validators').first().waitFor({ state: 'attached' });
    const asked = requests
      .slice(before)
      .map((request) => request.url())
      .filter((url) => !url.includes('/api/public/verify/'));
    t.strictSame(asked, [], 'nothing is loaded any more');
    await give(page, namedFile('other.txt', 'another file'));
    await verdict(page, 'disproven', 'No certificate given belongs to this file');
    await give(page, namedFile('third.txt', 'a third file'), namedFile('d.txt', 'a fourth one'));
    await page.locator('#table tbody tr').nth(3).waitFor();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download report (HTML)' }).click(),
    ]);
    const saved = await readFile(await report.path(), 'utf8');
    t.match(saved, 'Nothing more is proven. Names, dates', 'the limits of the summary');
    const [table = ''] = /<tbody>.*<\/tbody>/s.exec(saved) ?? [];
    const rows = table.split('<tr>').slice(1);
    t.equal(rows.length, 4, 'a report needs no network');
    t.match(rows[0], /other\.txt.*Not proven/, 'problems come first');
    t.match(rows[3], /contract\.txt.*Proven.*November 20, 2026.*attested\.json/);
    t.match(
      saved,
      /<p class="about"><bdi>[^<]*third\.txt[^<]*<\/bdi><\/p><h2>No certificate given/,
    );

    await page.reload().catch(() => {});
    tab.complaints.splice(0); // the browser's own errors for failed requests
    await page.context().setOffline(false);
    await page.goto(`${site.service.url}/verify`);
    await modulesLoaded(page);
    await page.context().setOffline(true);
    const others = { attested: { network: syntheticNetwork(5, 'unknown publisher') } };
    await give(page, file, namedFile('b.json', sampleText(others)));
    await verdict(page, 'unknown', 'This service cannot be reached');
    tab.complaints.splice(0);
    finish(t, tab);
    await page.context().close();
  });
}
