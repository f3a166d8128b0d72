import type { Test } from 'tap';
import { submitForm, tryToSend, writeHtml } from '../../support/in-page.js';
import type { PageSite } from '../../support/page-site.ts';
import { until } from '../../support/until.ts';

export async function policiesInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test('the policies prevent page and reader from sending anything', async (t) => {
    const { page, complaints } = await site.open('/verify');
    const { url } = site.service;
    const targets = [`${url}/api/v1/documents`, `${url}/verify`, 'https://example.com/'];
    for (const target of targets) {
      t.equal(await page.evaluate(tryToSend, target), 'refused', `page to ${target}`);
    }
    const reader = await until('the reader runs', async () => page.workers()[0]);
    for (const target of [...targets, `${url}/api/public/verify/${'A'.repeat(64)}`]) {
      t.equal(await reader.evaluate(tryToSend, target), 'refused', `reader to ${target}`);
    }
    await page.evaluate(submitForm, `${url}/api/v1/documents`);
    t.equal(await page.evaluate(writeHtml), 'refused', 'no text becomes HTML');
    t.equal(page.url(), `${url}/verify`, 'no form was sent');
    t.ok(complaints.length > targets.length);
    t.ok(
      complaints.every((each) => /Content Security Policy|Trusted/.test(each)),
      complaints.join('\n'),
    );
  });
}
