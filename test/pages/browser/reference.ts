import type { Test } from 'tap';
import { webhookEventKinds } from '../../../src/domain/webhook/event-kind.ts';
import { routes } from '../../../src/http/app.ts';
import { excessWidth } from '../../support/in-page.js';
import type { PageSite } from '../../support/page-site.ts';
import { finish } from '../../support/tab.ts';

export async function referenceInBrowser(t: Test, site: PageSite): Promise<void> {
  await t.test(
    'the reference shows every operation and delivery, and loads nothing from elsewhere',
    async (t) => {
      const tab = await site.open('/reference', { viewport: { width: 390, height: 844 } });
      const { page } = tab;
      const operations = page.locator('.opblock');
      await operations.first().waitFor();
      const calls = routes.based.length + routes.root.length;
      t.equal(await operations.count(), calls + webhookEventKinds.length);
      t.equal(await page.getByRole('button', { name: /authorize|try it out/i }).count(), 0);

      const proof = page.locator('#operations-Proofs-createProof');
      await proof.locator('.opblock-summary-control').click();
      await proof.getByText('created and anchored').waitFor();
      t.match(await proof.textContent(), /respond-async.*568e8c8e97db57188016cda54e026726/s);
      t.ok((await page.evaluate(excessWidth)) <= 0, 'fits a phone screen');
      finish(t, tab);
      await page.context().close();
    },
  );
}
