import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'tap';
import { Wallet } from 'xrpl';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';

const many = (count: number) => Array.from({ length: count });

test('when the ledger takes few transactions, proofs wait as pending and all are anchored', async (t) => {
  const site = await createAnchoringSite(t, { openLedgerLimit: 5, openLedgerMaximum: 5 });
  const second = Wallet.generate();
  await site.fund([second.address]);
  await site.start({ wallets: [site.wallet, second] });
  const ids = await Promise.all(many(60).map(() => site.request({ queued: true })));
  let most = 0;
  await site.closeUntil(async () => {
    const states = await Promise.all(ids.map((id) => site.state(id)));
    most = Math.max(most, states.filter(({ status }) => status === 'processing').length);
    return states.every(({ status }) => status === 'completed');
  });
  t.ok(most > 0 && most <= 20, `${most} under way at once on two accounts with 10 places each`);
  t.strictSame(await site.store.readLog(0, 1, ['AnchorExpired']), [], 'no transaction expired');
  const anchored = await site.anchored([site.wallet.address, second.address]);
  t.equal(
    anchored.filter(({ fileHash }) => fileHash !== null).length,
    ids.length,
    'each proof once',
  );
});

test('a batch of one organisation delays no proof of another', async (t) => {
  const site = await createAnchoringSite(t, { openLedgerLimit: 5, openLedgerMaximum: 5 });
  const other = await site.newOrganisation();
  await site.start();
  const batch = await Promise.all(many(60).map(() => site.request({ queued: true })));
  const own = [await site.request(other), await site.request(other)];
  const settled = await site.settle(own);
  t.ok(settled.every(({ status }) => status === 'completed'));
  const states = await Promise.all(batch.map((id) => site.state(id)));
  const pending = states.filter(({ status }) => status === 'pending').length;
  t.ok(pending > 0, `${pending} proofs of the batch were not signed before`);
  t.ok((await site.settle(batch)).every(({ status }) => status === 'completed'));
});

test('when fees rise, an account has at most ten transactions in the queue', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start();
  await site.settle([await site.request()]);
  site.ledger.faults.raiseLoadFactor(2);
  await site.ledger.close();
  const ids = await Promise.all(many(40).map(() => site.request({ queued: true })));
  await site.until(ids[0] as never, ({ status }) => status === 'processing');
  const states = await Promise.all(ids.map((id) => site.state(id)));
  t.ok(states.filter(({ status }) => status === 'processing').length <= 10);
  t.ok(states.filter(({ status }) => status === 'pending').length >= 30);
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
});

/**
 * The gateway with a server that takes 100 submissions a second. `onSubmitted` gets the number of
 * those so far.
 */
function limited(real: LedgerGateway, onSubmitted: (count: number) => void): LedgerGateway {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return {
    ...real,
    submissionsWithin: (ms) => Math.floor(ms / 10),
    async submit(blob) {
      const turn = last.then(() => delay(10));
      last = turn;
      await turn;
      const answer = await real.submit(blob);
      count += 1;
      onSubmitted(count);
      return answer;
    },
  };
}

test('when a server limits our load, no transaction expires', async (t) => {
  const site = await createAnchoringSite(t);
  // A ledger for each second of the server, however slow this machine is, and one when it idles.
  let submitted = 0;
  const onSubmitted = (count: number) => {
    submitted = count;
    if (count % 100 === 0) void site.ledger.close();
  };
  const process = await site.start({ gateway: (real) => limited(real, onSubmitted) });
  await site.settle([await site.request()]);
  const ids = await Promise.all(many(300).map(() => site.request()));
  let before = 0;
  const closing = setInterval(() => {
    if (submitted === before) void site.ledger.close();
    before = submitted;
  }, 1_000);
  t.teardown(() => clearInterval(closing));
  const states = await Promise.all(ids.map((id) => site.until(id, isOver)));
  t.ok(states.every(({ status }) => status === 'completed'));
  t.strictSame(await site.store.readLog(0, 1, ['AnchorExpired']), []);
  t.strictSame(process.errors, []);
  t.equal((await site.anchored()).length, ids.length + 1);
});

function isOver({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'withdrawn' || status === 'refused';
}
