import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { focused } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import {
  sampleFile,
  sampleProof,
  sampleStamped,
  sampleStampedAlone,
  sampleText,
} from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const plainly = { hashScheme: 'sha256-plain-v1', transaction: { Sequence: 40 } } as const;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex') as Digest;

export async function certificatesInBrowser(t: Test, site: PageSite): Promise<void> {
  const { certificate } = site;

  await t.test('certificates that were changed or invented are disproven', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, rightFile, namedFile('b.json', sampleText().replace('Archive', 'Arcade')));
    await verdict(page, 'disproven', 'This certificate was changed, or made up');
    const another = () => page.getByRole('button', { name: 'Remove: b.json' }).click();
    await another();
    const forged = { transaction: { Sequence: 9 } };
    const other = proofMemo({ fileHash: 'a'.repeat(64), hashScheme: 'sha256-plain-v1' });
    site.anchor(forged, { memos: [other] });
    await give(page, namedFile('b.json', sampleText(forged)));
    await verdict(page, 'disproven', 'Certificate and ledger say different things');
    await another();
    const backdated = { transaction: { Sequence: 10 } };
    site.anchor(backdated, { closeTime: 848_531_014 });
    await give(page, namedFile('b.json', sampleText(backdated)));
    await verdict(page, 'disproven', 'The certificate names another time');
    finish(t, tab);
  });

  await t.test(
    'a certificate may itself be the file, and a PDF may be no certificate',
    async (t) => {
      const tab = await site.open('/verify');
      const { page } = tab;
      await give(page, certificate);
      await verdict(page, 'open', 'Now the file');
      site.anchor(
        { ...plainly, change: { fileHash: sha256(certificate.buffer) } },
        {
          memos: [
            proofMemo({ fileHash: sha256(certificate.buffer), hashScheme: 'sha256-plain-v1' }),
          ],
        },
      );
      const { transactionHash } = sampleProof(plainly).content;
      await page.fill('#hash', transactionHash);
      await verdict(page, 'partial', 'existed no later than');
      t.match(await page.locator('.items').textContent(), 'This file is itself a certificate');
      await page.fill('#hash', '');
      await give(page, namedFile('scan.pdf', '%PDF-1.7 and no more'));
      await verdict(page, 'disproven', 'No certificate given belongs to this file');
      t.match(await page.locator('.cards').textContent(), 'No proof is attached to this PDF');
      await lookAt(t, page, 'pdf-without-proof');
      await page.getByRole('button', { name: 'Remove: scan.pdf' }).press('Enter');
      t.equal(await page.evaluate(focused), 'files');
      await verdict(page, 'open', 'Now the file');
      finish(t, tab);
    },
  );

  await t.test(
    'a time-stamp token is shown as not verified, and must be for the proof',
    async (t) => {
      const tab = await site.open('/verify');
      const { page } = tab;
      const stamped = sampleText(sampleStampedAlone);
      await give(page, rightFile, namedFile('b.json', stamped));
      await verdict(page, 'partial', 'existed no later than');
      await page.locator('summary', { hasText: 'Step by step' }).click();
      const step = page.locator('.step', { hasText: 'Time-stamp token' });
      t.match(await step.textContent(), /Time-stamp token not verified.*states the time/);
      t.equal(await step.locator('.mark-claimed').count(), 1);
      await lookAt(t, page, 'time-stamp-token');
      await page.getByRole('button', { name: 'Remove: b.json' }).click();
      const bundle = JSON.parse(stamped);
      const { token } = JSON.parse(sampleText(sampleStamped)).timestamp;
      const other = { ...bundle, timestamp: { ...bundle.timestamp, token } };
      const text = JSON.stringify({ ...other, checksum: bundleChecksum(other) });
      await give(page, namedFile('b.json', text));
      await verdict(page, 'disproven', 'The time-stamp token belongs to something else');
      finish(t, tab);
    },
  );

  await t.test('a name from a certificate is shown as plain text', async (t) => {
    const fileName = '<img src=x onerror=alert(1)>\u202efdp.txt';
    const tab = await site.open('/verify');
    await give(tab.page, namedFile('b.json', sampleText({ change: { fileName } })));
    await verdict(tab.page, 'open', 'Now the file');
    t.match(
      await tab.page.locator('.note').textContent(),
      'It names the file “<img src=x onerror=alert(1)>\ufffdfdp.txt”. Claimed, not verified',
    );
    t.equal(await tab.page.locator('main img').count(), 0);
    t.equal(sampleProof({ change: { fileName } }).content.fileName, fileName);
    finish(t, tab);
  });
}
