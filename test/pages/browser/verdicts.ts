import type { Test } from 'tap';
import { shareBundle } from '../../../src/certificates/build-bundle.ts';
import { readClipboard } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import { neededByVerify, pageModules } from '../../support/page-modules.ts';
import type { PageSite } from '../../support/page-site.ts';
import {
  type SampleOptions,
  sampleBundle,
  sampleFile,
  sampleProof,
  sampleText,
} from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const flipped = namedFile('contract.txt', sampleFile.replace('twentieth', 'twentiet`'));

export async function verdictsInBrowser(t: Test, site: PageSite): Promise<void> {
  const { content } = sampleProof();
  const { fileHash, transactionHash, account, commitment, nonce, previousTransactionHash } =
    content;

  await t.test('file and certificate match, with little loaded first', async (t) => {
    const tab = await site.open('/verify', {});
    const { page, requests } = tab;
    await lookAt(t, page, 'empty');
    await give(page, rightFile, site.certificate);
    const words = await verdict(page, 'partial', 'these exact bytes existed no later than');
    t.match(words, 'November 20, 2026 at 23:03:33 UTC');
    t.match(
      await page.locator('#announcement').textContent(),
      'On the word of this service: According to this service',
    );
    const steps = (await page.locator('.step h3').allInnerTexts()).map((step) => step.trim());
    const names = ['The file', 'The commitment', 'The ledger', 'The account', 'The time'];
    t.strictSame(
      steps.map((step) => step.replace(/\s+/g, ' ')),
      [
        'The file proves nothing alone',
        ...names.slice(1).map((name) => `${name} on the word of this service`),
        'The certificate itself proves nothing alone',
        'Signature of the transaction holds',
        'Entry in the log proves nothing alone',
        'Signature of the log not checked',
        'Witnesses none',
        'Names, dates and other statements not verified',
        'The printed pages not verified',
      ],
    );
    const values = await page.locator('.step code').allInnerTexts();
    for (const value of [fileHash, transactionHash, account, String(commitment)]) {
      t.ok(values.includes(value), value);
    }
    t.equal(await page.locator('.step .copy').count(), values.length, 'each value can be copied');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: Account' }).press('Enter');
    await page.getByRole('button', { name: 'Copied: Account' }).waitFor();
    t.equal(await page.evaluate(readClipboard), account);
    await page.getByText('That is the whole chain').waitFor();
    await lookAt(t, page, 'proven');

    // The verifier of signatures is loaded later, when the page already works.
    const isLater = (request: (typeof requests)[number]) => {
      const module = new URL(request.url()).pathname.replace(/^\/pages\//, '');
      return pageModules.has(module) && !neededByVerify.has(module);
    };
    for (const [when, part] of [
      ['first', requests.filter((request) => !isLater(request))],
      ['later', requests.filter(isLater)],
    ] as const) {
      const sizes = await Promise.all(part.map((request) => request.sizes()));
      const total = sizes.reduce(
        (sum, one) => sum + one.responseBodySize + one.responseHeadersSize,
        0,
      );
      t.comment(`${when}: ${part.length} requests, ${total} bytes`);
      t.ok(
        total > 10_000 && total < (when === 'first' ? 150_000 : 175_000),
        `${when}: ${total} bytes`,
      );
    }
    const asked = requests.map((request) => new URL(request.url()).pathname);
    t.strictSame(
      asked.filter((path) => !path.startsWith('/pages/') && path !== '/verify'),
      [transactionHash, previousTransactionHash].map((hash) => `/api/public/verify/${hash}`),
    );
    finish(t, tab);
    await page.context().close();
  });

  await t.test(
    'a flipped byte is reported as another file, and a second try succeeds',
    async (t) => {
      const tab = await site.open('/verify');
      await give(tab.page, namedFile('bundle.json', sampleText()));
      await verdict(tab.page, 'open', 'Now the file');
      await give(tab.page, flipped);
      await verdict(tab.page, 'disproven', 'No file is proven');
      await verdict(tab.page, 'disproven', 'No certificate given belongs to this file');
      await verdict(tab.page, 'open', 'File not given');
      await lookAt(t, tab.page, 'another-file');
      await tab.page.getByRole('button', { name: 'Remove: contract.txt' }).click();
      await give(tab.page, rightFile);
      await verdict(tab.page, 'partial', 'existed no later than');
      t.equal(await tab.page.locator('.verdict').count(), 1, 'one verdict needs no summary');
      finish(t, tab);
    },
  );

  await t.test(
    'a transaction alone asks for the nonce, and accepts only the right one',
    async (t) => {
      const tab = await site.open(`/verify/${transactionHash.toLowerCase()}`);
      const { page } = tab;
      await verdict(page, 'open', 'Now the file');
      t.notOk(await page.isVisible('#nonce'), 'not before it is needed');
      await give(page, rightFile);
      await verdict(page, 'open', 'Now the nonce');
      await page.getByLabel('Nonce of the proof').fill('x');
      await page.keyboard.press('Enter');
      await page.locator('#nonce-mistake').waitFor();
      await lookAt(t, page, 'needs-nonce');
      await page.fill('#nonce', '0'.repeat(64));
      await verdict(page, 'disproven', 'File and nonce do not match the ledger');
      await page.fill('#nonce', ` ${nonce?.toUpperCase()} `);
      await verdict(page, 'partial', 'existed no later than');
      await page.getByRole('button', { name: 'Remove: contract.txt' }).click();
      await give(page, flipped);
      await verdict(page, 'disproven', 'File and nonce do not match the ledger');
      finish(t, tab);
    },
  );

  await t.test('a bundle for sharing asks for its missing nonce', async (t) => {
    const tab = await site.open('/verify');
    await give(tab.page, namedFile('b.json', shareBundle(sampleBundle())), rightFile);
    await verdict(tab.page, 'open', 'Now the nonce');
    await tab.page.fill('#nonce', String(nonce));
    await verdict(tab.page, 'partial', 'existed no later than');
    finish(t, tab);
  });

  await t.test('a plain proof needs no nonce, and its transaction may be pasted', async (t) => {
    const plain: SampleOptions = { hashScheme: 'sha256-plain-v1' };
    const hash = site.anchor(plain);
    const tab = await site.open('/verify');
    await give(tab.page, rightFile);
    await verdict(tab.page, 'open', 'Now the certificate');
    await tab.page.fill('#hash', `https://livenet.xrpl.org/transactions/${hash}/`);
    await verdict(tab.page, 'partial', 'existed no later than');
    await tab.page.getByRole('button', { name: 'Remove: contract.txt' }).click();
    await give(tab.page, flipped);
    await verdict(tab.page, 'disproven', 'This is not the file of this transaction');
    finish(t, tab);
  });
}
