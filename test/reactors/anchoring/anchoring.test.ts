import { test } from 'tap';
import { Wallet } from 'xrpl';
import { commit } from '../../../src/domain/proof/commit.ts';
import { readTransaction } from '../../../src/ledger/anchor-transaction.ts';
import { readLedgerHeader } from '../../../src/ledger/validated-ledger.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';

test('proofs of every scheme are anchored once, and the log agrees with the ledger', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start();
  const ids = await Promise.all([
    site.request({ hashScheme: 'sha256-plain-v1' }),
    site.request({ hashScheme: 'hmac-sha256-nonce-v2' }),
    ...Array.from({ length: 30 }, () => site.request()),
  ]);
  const states = await site.settle(ids);
  const onLedger = await site.anchored();
  t.equal(onLedger.length, ids.length);
  for (const state of states) {
    if (state.status !== 'completed') {
      t.fail(`a proof is ${state.status}`);
      continue;
    }
    const { request, prepared, anchor } = state;
    const found = onLedger.find(({ hash }) => hash === prepared.transactionHash);
    const expected = request.nonce ? commit(request.nonce, request.fileHash) : request.fileHash;
    t.equal(found?.fileHash, expected, 'the memo is the commitment');
    t.equal(found?.result, 'tesSUCCESS');
    const header = readLedgerHeader(anchor.ledgerHeader);
    t.equal(header.hash, anchor.ledgerHash);
    t.equal(header.index, anchor.ledgerIndex);
    t.equal(anchor.transactionHash, prepared.transactionHash);
    t.ok(anchor.ledgerIndex > prepared.minLedger);
    t.ok(anchor.ledgerIndex <= prepared.lastLedgerSequence);
    t.equal(readTransaction(prepared.blob).account, site.wallet.address);
  }
});

test('after a restart anchoring continues, and nothing is anchored twice', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  const early = await Promise.all(Array.from({ length: 5 }, () => site.request()));
  await site.settle(early);
  await first.stop();
  const late = await Promise.all(Array.from({ length: 5 }, () => site.request()));
  await site.start();
  const states = await site.settle(late);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, 10);
});

test('one process at a time holds the account, and another takes over when it stops', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await site.settle([await site.request()]);
  await site.start();
  await site.settle([await site.request()]);
  await first.stop();
  const [state] = await site.settle([await site.request()]);
  t.equal(state?.status, 'completed');
  const sequences = (await site.anchored()).map(({ sequence }) => sequence);
  t.strictSame(
    sequences,
    [...new Set(sequences)].sort((a, b) => a - b),
  );
  t.equal(sequences.length, 3);
});

test('spreads proofs over a pool of accounts and skips one without funds', async (t) => {
  const site = await createAnchoringSite(t);
  const funded = Array.from({ length: 3 }, () => Wallet.generate());
  await site.fund(funded.map(({ address }) => address));
  const process = await site.start({ wallets: [Wallet.generate(), ...funded] });
  const warmUp = await site.settle([await site.request()]);
  t.equal(warmUp[0]?.status, 'completed');
  const ids = await Promise.all(Array.from({ length: 60 }, () => site.request()));
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal(process.running.paused(), null);
  const used = await Promise.all(funded.map(({ address }) => site.anchored([address])));
  t.equal(used.flat().length, ids.length + 1);
  t.ok(
    used.every((transactions) => transactions.length > 0),
    'every funded account was used',
  );
});

test('skips an account that cannot pay, and reports it if there is no other', async (t) => {
  const site = await createAnchoringSite(t);
  const poor = Wallet.generate();
  await site.fund([poor.address], 1);
  const spent = await site.stranger.autofill({
    TransactionType: 'AccountSet',
    Account: poor.address,
    Fee: '999900',
  });
  await site.stranger.request({ command: 'submit', tx_blob: poor.sign(spent).tx_blob });
  await site.ledger.close();
  const alone = await site.start({ wallets: [poor] });
  const proofId = await site.request();
  await site.closeUntil(() => alone.running.paused() === 'noFundedAccount');
  t.equal((await site.state(proofId)).status, 'pending');
  await alone.stop();
  await site.start({ wallets: [poor, site.wallet] });
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
});
