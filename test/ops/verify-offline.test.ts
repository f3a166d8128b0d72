import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { opsIn } from '../support/operator.ts';
import { sampleFile, sampleText, sampleWallet } from '../support/sample-bundle.ts';
import { syntheticNetwork } from '../support/synthetic-network.ts';
import { samplePublisher, sampleXpop } from '../support/validated-network.ts';

/** Runs `verify` without any environment in a folder with the given files. */
async function createDesk(t: Test, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return (...args: readonly string[]) => opsIn(t, { env: {}, cwd: folder }, 'verify', ...args);
}

test('a certificate with the word of validators is proven without a server', async (t) => {
  const network = syntheticNetwork(5);
  const verify = await createDesk(t, {
    'bundle.json': sampleText({ attested: { network } }),
    document: sampleFile,
  });
  const given = [
    '--bundle',
    'bundle.json',
    '--file',
    'document',
    '--account',
    sampleWallet.address,
  ];
  const proven = await verify(...given, '--validator-list-key', network.publisherKey);
  t.equal(proven.code, 0, proven.stdout);
  t.match(proven.stdout, /^ok +validator list +trusted: list 1 of the publisher that you named/m);
  t.match(proven.stdout, /^ok +validations +4 of the 5 listed validators signed ledger 90000123/m);
  t.match(proven.stdout, /^Proven: this file existed, .*publisher whose list of them was trusted/m);

  const unknown = await verify(...given);
  t.equal(unknown.code, 0, unknown.stdout);
  t.match(unknown.stdout, /^Not proven yet: /m);
  t.match(unknown.stdout, `--validator-list-key ${network.publisherKey}`);
});

test('an XPOP of anybody is accepted or refused by its publisher', async (t) => {
  const [good, bad] = ['valid-260-17tx-payment-tree.json', 'bad-quorum-3-of-4.json'];
  const verify = await createDesk(t, { good: sampleXpop(good).text, bad: sampleXpop(bad).text });
  const key = ['--validator-list-key', samplePublisher.toLowerCase()];
  const accepted = await verify('--xpop', 'good', ...key, '--json');
  t.equal(accepted.code, 0, accepted.stdout);
  t.match(JSON.parse(accepted.stdout), {
    proven: true,
    finding: { ledgerIndex: 260, listed: 4, needed: 4, counted: 4, publisherKey: samplePublisher },
  });
  const refused = await verify('--xpop', 'bad', ...key);
  t.equal(refused.code, 1);
  t.match(refused.stdout, /^NOT PROVEN: 3 of the 4 listed validators validated ledger 260/);
  const unknown = await verify('--xpop', 'good', '--json');
  t.equal(unknown.code, 1);
  t.match(JSON.parse(unknown.stdout), { proven: false, finding: null });
  const mixed = await verify('--xpop', 'good', '--file', 'bad');
  t.equal(mixed.code, 1);
  t.match(mixed.stderr, '--xpop can be combined with');
});
