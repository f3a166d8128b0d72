import { createHash, randomBytes } from 'node:crypto';
import { type Test, test } from 'tap';
import { Client } from 'xrpl';
import { commitmentOf, type Receipt } from '../../../../ops/bench/proofs/receipt.ts';
import { verifyOnLedger } from '../../../../ops/bench/proofs/verify-receipts.ts';
import { proofMemo } from '../../../../src/domain/proof/memo.ts';
import { fundAccounts } from '../../../../src/embedded/fund-accounts.ts';
import { createStandaloneLedger } from '../../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { signAnchor } from '../../../../src/ledger/anchor-transaction.ts';
import { createSeedSigner } from '../../../../src/ledger/signer.ts';

const seed = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
const hashScheme = 'hmac-sha256-nonce-v3';

/** A ledger with one account that anchors receipts. */
async function openLedger(t: Test) {
  const ledger = await createStandaloneLedger({ closeMs: 50 });
  t.teardown(() => ledger.stop());
  const { url } = ledger;
  const signer = createSeedSigner(seed);
  await fundAccounts({ url, addresses: [signer.address], xrp: 50 });
  const client = new Client(url);
  await client.connect();
  t.teardown(() => client.disconnect());
  const account = { command: 'account_info', account: signer.address } as const;
  let { Sequence: sequence } = (await client.request(account)).result.account_data;
  const anchor = async (fileHash: string): Promise<string> => {
    const memo = proofMemo({ fileHash, hashScheme });
    const lastLedgerSequence = 1_000_000;
    const signed = signAnchor({ sequence, feeDrops: 10, lastLedgerSequence, memo }, signer);
    sequence += 1;
    await client.request({ command: 'submit', tx_blob: signed.blob });
    await ledger.close();
    return signed.hash;
  };
  return { url, firstLedger: 2, accounts: [signer.address], anchor };
}

function newReceipt(): Receipt {
  const hash = createHash('sha256').update(randomBytes(8)).digest('hex');
  return { hash, nonce: randomBytes(32).toString('hex'), hashScheme, txHash: '' };
}

test('a receipt verifies only if its transaction holds its commitment', async (t) => {
  const { anchor, ...ledger } = await openLedger(t);
  const good = newReceipt();
  const anchored = { ...good, txHash: await anchor(commitmentOf(good)) };
  const wrongNonce = { ...anchored, nonce: '00'.repeat(32) };
  const nowhere = { ...anchored, txHash: 'AB'.repeat(32) };
  const found = await verifyOnLedger(ledger, [anchored, wrongNonce, nowhere]);
  t.match(found, {
    receipts: 3,
    verified: 1,
    distinctTransactions: 2,
    proofsOnLedger: 1,
    anchoredTwice: 0,
    failures: [wrongNonce.txHash, nowhere.txHash],
  });
});

test('a commitment that is on the ledger twice is counted', async (t) => {
  const { anchor, ...ledger } = await openLedger(t);
  const commitment = commitmentOf(newReceipt());
  await anchor(commitment);
  await anchor(commitment);
  t.match(await verifyOnLedger(ledger, []), { proofsOnLedger: 2, anchoredTwice: 1 });
});

test('transactions of other accounts are not counted', async (t) => {
  const { anchor, ...ledger } = await openLedger(t);
  await anchor(commitmentOf(newReceipt()));
  t.match(await verifyOnLedger({ ...ledger, accounts: [] }, []), { proofsOnLedger: 0 });
});
