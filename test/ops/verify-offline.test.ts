import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { opsIn } from '../support/operator.ts';
import { projectRoot, run } from '../support/run.ts';
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

/** Runs a command in a network namespace of its own, which has no network at all. */
const namespace = ['unshare', '--map-root-user', '--net'];
const noNamespace =
  spawnSync(namespace[0] ?? '', [...namespace.slice(1), 'true']).status !== 0 &&
  'NO NAMESPACES, so offline verification is not tested without a network: the kernel forbids them';

if (noNamespace) console.error(noNamespace);

test('a machine without network proves a certificate and an XPOP', {
  skip: noNamespace,
}, async (t) => {
  const network = syntheticNetwork(5);
  const folder = await mkdtemp(join(tmpdir(), 'offline-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const bundle = await write('bundle.json', sampleText({ attested: { network, laterLedgers: 3 } }));
  const document = await write('document', sampleFile);
  const xpop = await write('xpop.json', sampleXpop('valid-260-17tx-payment-tree.json').text);
  const offline = (...args: readonly string[]) =>
    run(t, [...namespace, process.execPath, ...args], { env: {} }).ended;
  const interfaces = 'console.log(Object.keys(require("node:os").networkInterfaces()).length)';
  t.equal((await offline('--eval', interfaces)).stdout, '0\n', 'not even a loopback interface');

  const verify = (...args: readonly string[]) =>
    offline(join(projectRoot, 'ops/cli.ts'), 'verify', ...args, '--json');
  const account = ['--account', sampleWallet.address];
  const key = ['--validator-list-key', network.publisherKey];
  const given = ['--bundle', bundle, '--file', document, ...account];
  const certified = await verify(...given, ...key);
  t.equal(certified.code, 0, certified.stdout + certified.stderr);
  t.match(JSON.parse(certified.stdout), { proven: true });
  const unknown = await verify(...given);
  t.match(JSON.parse(unknown.stdout), { proven: false }, 'by a publisher that is not known');
  const exported = await verify('--xpop', xpop, '--validator-list-key', samplePublisher);
  t.equal(exported.code, 0, exported.stdout);
  t.match(JSON.parse(exported.stdout), { proven: true, finding: { ledgerIndex: 260 } });
});
