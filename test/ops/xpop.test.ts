import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { storeDocument } from '../../src/commands/store-document.ts';
import {
  anchorInLedger,
  recordAttested,
  recordLinked,
  recordList,
} from '../support/attested-ledger.ts';
import { newFolder } from '../support/blobs.ts';
import { openTestStore } from '../support/event-store.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { jsonOf, ops } from '../support/operator.ts';
import { syntheticNetwork } from '../support/synthetic-network.ts';
import { createUploadSite, uploadMeta } from '../support/uploads.ts';
import { verifyByXls41 } from '../support/xls-41.ts';

const ledgerId = '1-XPOP';

async function createSite(t: Test) {
  const { url, masterKey, env } = await hostedDatabase(t);
  jsonOf(t, await ops(t, env, 'organisation', 'list', '--json'));
  const { store } = openTestStore(t, url, { masterKey });
  const site = await createUploadSite(store);
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const prove = async (index: number) => {
    const { proofId } = await storeDocument(site.deps, site.order(), uploadMeta);
    const ledger = await anchorInLedger(store, [proofId], { ledgerId, index });
    return { proofId, ledger };
  };
  return { store, network, lists, prove, run: (...args: string[]) => ops(t, env, ...args) };
}

test('a proof is written as an XPOP that ops verify and another verifier accept', async (t) => {
  const { store, network, lists, prove, run } = await createSite(t);
  const { proofId, ledger } = await prove(800);
  await recordAttested(store, ledger, network, { lists });
  const [{ hash: transactionHash } = { hash: '' }] = ledger.transactions;

  const printed = await run('xpop', proofId);
  t.match(printed, { code: 0, stderr: '' });
  t.equal(verifyByXls41(printed.stdout, network.publisherKey), transactionHash);

  const out = join(await newFolder(t), 'proof.xpop.json');
  const written = await run('xpop', proofId, '--out', out, '--form', 'tree');
  t.match(written, { code: 0, stderr: '' });
  t.match(written.stdout, `ops verify --xpop ${out} --validator-list-key ${network.publisherKey}`);
  t.equal(verifyByXls41(await readFile(out, 'utf8'), network.publisherKey), transactionHash);

  const key = ['--validator-list-key', network.publisherKey];
  const verdict = jsonOf(t, await run('verify', '--xpop', out, ...key, '--json'));
  t.match(verdict, { proven: true, finding: { ledgerIndex: 800, transactionHash, counted: 5 } });
  const others = ['--validator-list-key', syntheticNetwork(5, 'other').publisherKey];
  t.equal((await run('verify', '--xpop', out, ...others)).code, 1);
});

test('a proof without an XPOP is refused with the reason', async (t) => {
  const { store, prove, run } = await createSite(t);
  const { proofId, ledger } = await prove(800);
  const pending = await run('xpop', proofId);
  t.equal(pending.code, 1);
  t.match(
    pending.stderr,
    /signatures of a quorum of validators are not on record for ledger 800 yet/,
  );
  await recordLinked(store, ledger, 7);
  const linked = await run('xpop', proofId);
  t.equal(linked.code, 1);
  t.match(linked.stderr, /validators of ledger 807 and the headers between them/);
  const unknown = await run('xpop', '01M7XT7TX5VQ3R4S5T6V7W8X9Y');
  t.equal(unknown.code, 1);
  t.match(unknown.stderr, /there is no proof 01M7XT7TX5VQ3R4S5T6V7W8X9Y/);
});
