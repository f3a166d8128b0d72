import type { Test } from 'tap';
import { createCosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { tryToSend } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import type { PageSite } from '../../support/page-site.ts';
import { startPublicLedgerServer } from '../../support/public-ledger-server.ts';
import { sampleFile, sampleLogKey, sampleProof, sampleText } from '../../support/sample-bundle.ts';
import { finish, give, namedFile, verdict } from '../../support/tab.ts';
import { until } from '../../support/until.ts';

const rightFile = namedFile('contract.txt', sampleFile);
const asFile = (text: string) => namedFile('bundle.json', text);

/** The sample with a change, and a checksum that fits. */
function changed(change: (value: Record<string, Record<string, unknown>>) => void): string {
  const { checksum: _, ...value } = JSON.parse(sampleText());
  change(value);
  return JSON.stringify({ ...value, checksum: bundleChecksum(value) });
}

export async function independentInBrowser(t: Test, site: PageSite): Promise<void> {
  const proof = sampleProof();
  const { transactionHash, account } = proof.content;

  await t.test('the address in a QR code shows the record first, and proves nothing', async (t) => {
    const tab = await site.open(`/verify/${transactionHash}`);
    const { page } = tab;
    const words = await verdict(page, 'open', 'Recorded on');
    t.match(
      words,
      /On the word of this service.*November 20, 2026 at 23:03:33 UTC in ledger 90,000,123/,
    );
    t.match(words, account);
    t.match(words, /Nothing is verified yet\. Now the file/);
    t.equal(await page.locator('.mark-ok').count(), 0);
    const isAbove =
      "document.getElementById('result').compareDocumentPosition(document.getElementById('drop')) & 4";
    t.ok(await page.evaluate<number>(isAbove), 'before the question for the file');
    await lookAt(t, page, 'qr-start');
    const change = { network: 'testnet', standalone: true } as const;
    await page.goto(
      `${site.service.url}/verify/${site.anchor({ change, transaction: { Sequence: 13 } })}`,
    );
    await verdict(page, 'open', 'Test only: recorded on');
    await verdict(page, 'open', 'it proves nothing to anybody else');
    t.equal(await page.locator('#tools').isVisible(), false, 'there is nothing to report');
    finish(t, tab);
  });

  await t.test('nothing is green for random bytes, or on the word of the service', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, namedFile('random.bin', 'random bytes'));
    await verdict(page, 'open', 'Now the certificate');
    t.equal(await page.locator('.mark-ok, .verdict-proven').count(), 0);
    await page.getByRole('button', { name: 'Remove: random.bin' }).click();
    await give(page, rightFile, asFile(sampleText()));
    await verdict(page, 'partial', 'According to this service');
    t.equal(await page.locator('.verdict-proven').count(), 0);
    t.strictSame(
      (await page.locator('.step:has(.mark-ok) h3').allInnerTexts()).map((each) => each.trim()),
      ['Signature of the transaction holds'],
    );
    await lookAt(t, page, 'stated');
    finish(t, tab);
  });

  await t.test('a ledger server that the reader names proves the file', async (t) => {
    const server = await startPublicLedgerServer(t, [proof]);
    const tab = await site.open('/verify', {});
    const { page } = tab;
    await give(page, rightFile, asFile(sampleText()));
    await verdict(page, 'partial', 'According to this service');
    await page.locator('.known > summary').click();
    await page.fill('#server', 'no server');
    await page.getByRole('button', { name: 'Ask this server' }).click();
    await page.locator('#server-mistake').waitFor();
    await page.fill('#server', server.address);
    await page.getByRole('button', { name: 'Ask this server' }).click();
    await verdict(page, 'proven', 'existed no later than');
    t.strictSame(server.asked, ['server_info', 'tx']);
    t.match(await page.locator('#server-outcome').textContent(), 'shows the transaction');
    t.match(
      await page.locator('.step', { hasText: 'The ledger server that you named' }).textContent(),
      server.name,
    );
    await lookAt(t, page, 'proven');
    const asker = await until('the asking thread runs', async () => {
      return page.workers().find((worker) => worker.url().includes('server-worker'));
    });
    for (const target of [`${site.service.url}/verify`, 'https://example.com/']) {
      t.equal(await asker.evaluate(tryToSend, target), 'refused', `asker to ${target}`);
    }
    tab.complaints.splice(0); // of these attempts
    finish(t, tab);
    await page.context().close();
  });

  await t.test('a ledger server is asked by JSON-RPC too', async (t) => {
    const server = await startPublicLedgerServer(t, [proof]);
    const ignorant = await startPublicLedgerServer(t, []);
    const tab = await site.open('/verify', {});
    const { page } = tab;
    await give(page, rightFile, asFile(sampleText()));
    await verdict(page, 'partial', 'According to this service');
    await page.locator('.known > summary').click();
    const ask = async (address: string) => {
      await page.fill('#server', address);
      await page.keyboard.press('Enter');
    };
    await ask(ignorant.rpcAddress);
    await page.getByText('does not have this transaction').first().waitFor();
    await ask(server.rpcAddress);
    await verdict(page, 'proven', 'existed no later than');
    t.strictSame(server.asked, ['server_info', 'tx']);
    t.strictSame(tab.complaints, [], 'no policy is violated');
    await page.context().close();
  });

  await t.test('a named server that is silent, ignorant or contradicts is told', async (t) => {
    const ignorant = await startPublicLedgerServer(t, []);
    const liar = await startPublicLedgerServer(t, [proof], (result) => ({
      ...result,
      ledger_index: 1,
    }));
    const tab = await site.open('/verify', {});
    const { page } = tab;
    await give(page, rightFile, asFile(sampleText()));
    await verdict(page, 'partial', 'According to this service');
    await page.locator('.known > summary').click();
    const ask = async (address: string) => {
      await page.fill('#server', address);
      await page.keyboard.press('Enter');
    };
    await ask(ignorant.address);
    const outcome = page.locator('#server-outcome');
    await outcome.filter({ hasText: 'does not have this transaction' }).waitFor();
    await verdict(page, 'partial', 'According to this service');
    await ask('ws://127.0.0.1:9');
    await page.getByText('gave no usable answer').first().waitFor();
    await verdict(page, 'partial', 'According to this service');
    await ask(liar.address);
    await verdict(page, 'disproven', 'The certificate names another time');
    await page.getByText('say different things about this transaction').first().waitFor();
    await ask('');
    await verdict(page, 'partial', 'According to this service');
    t.equal(await outcome.isVisible(), false, 'no server is named any more');
    tab.complaints.splice(0); // the browser's own error for the refused connection
    finish(t, tab);
    await page.context().close();
  });

  await t.test('keys that the reader enters verify the log and its witnesses', async (t) => {
    const witness = createCosigner('witness.example/a', Buffer.alloc(32, 7));
    const text = changed(({ log = {} }) => {
      const note = String(log.checkpoint);
      const signed = note.slice(0, note.indexOf('\n\n') + 1);
      log.checkpoint = `${note}${witness.cosign(signed, 1_795_000_000)}`;
    });
    const tab = await site.open('/verify');
    const { page } = tab;
    await give(page, rightFile, asFile(text));
    await verdict(page, 'partial', 'According to this service');
    const step = (name: string) => page.locator('.step', { hasText: name });
    t.match(await step('Signature of the log').textContent(), 'not checked');
    t.match(await step('Witnesses').textContent(), 'not checked');
    await page.locator('.known > summary').click();
    await page.fill('#keys', `${sampleLogKey.vkey}\n${witness.vkey}\nnonsense`);
    await page.locator('#keys').blur();
    await page.locator('#keys-mistake', { hasText: 'line 3' }).waitFor();
    await step('Signature of the log').locator('.mark-ok').waitFor();
    t.match(
      await step('Signature of the log').textContent(),
      sampleLogKey.vkey,
      'a report names the key that the reader gave',
    );
    await step('Witnesses').locator('.mark-ok').waitFor();
    t.match(await step('Witnesses').textContent(), 'witness.example/a cosigned');
    await lookAt(t, page, 'keys');
    const second = createCosigner('witness.example/b', Buffer.alloc(32, 8));
    const policy = `witness W1 ${witness.vkey}\nwitness W2 ${second.vkey}\ngroup g any W1 W2\nquorum g`;
    const enter = async (entered: string) => {
      await page.fill('#keys', entered);
      await page.locator('#keys').blur();
    };
    await enter(policy);
    await step('Quorum of witnesses').locator('.mark-ok').waitFor();
    t.match(await step('Quorum of witnesses').textContent(), 'W1 cosigned this checkpoint (1 of 2');
    await enter(policy.replace(' any ', ' all '));
    await verdict(page, 'disproven', 'A signature or another piece of evidence does not hold');
    t.match(await step('Quorum of witnesses').textContent(), 'only W1 cosigned this checkpoint');
    await lookAt(t, page, 'quorum-missed');
    await enter(policy.replace('quorum g', 'quorum h'));
    await page.locator('#keys-mistake', { hasText: 'h is not defined' }).waitFor();
    await verdict(page, 'disproven', 'A signature or another piece of evidence does not hold');
    await step('Quorum of witnesses').locator('text=h is not defined').waitFor();
    await enter(policy);
    await step('Quorum of witnesses').locator('.mark-ok').waitFor();
    await enter(policy.replace('\nquorum g', ''));
    await page.locator('#keys-mistake', { hasText: 'no line: quorum NAME' }).waitFor();
    await step('Quorum of witnesses').locator('.mark-failed').waitFor();
    await verdict(page, 'disproven', 'A signature or another piece of evidence does not hold');
    await page.fill('#keys', '');
    await page.locator('#keys').blur();
    await step('Signature of the log').locator('.mark-notChecked').waitFor();
    finish(t, tab);
  });

  await t.test('a forged signature and a foreign log entry disprove a certificate', async (t) => {
    const tab = await site.open('/verify');
    const { page } = tab;
    const foreign = changed(({ certificate = {} }) => {
      certificate.proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    });
    await give(page, rightFile, asFile(foreign));
    await verdict(page, 'disproven', 'A signature or another piece of evidence does not hold');
    t.match(await page.locator('.step:has(.mark-failed)').textContent(), 'Entry in the log');
    await lookAt(t, page, 'evidence-fails');
    finish(t, tab);
  });
}
