import { test } from 'tap';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { type AnchoringSite, createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

const openLedgerLimit = 30;

/** A gateway whose reading of whole ledgers can be held up. */
function reading() {
  let release = () => {};
  let gate = Promise.resolve();
  return {
    hold() {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    of: (real: LedgerGateway): LedgerGateway => ({
      ...real,
      async ledger(index) {
        await gate;
        return real.ledger(index);
      },
    }),
  };
}

const requestMany = (site: AnchoringSite, count: number) =>
  Promise.all(Array.from({ length: count }, () => site.request({ queued: true })));

/** Resolves when the open ledger has as many transactions as it takes at the base fee. */
function full(site: AnchoringSite): Promise<boolean> {
  return until('a full open ledger', async () => {
    const { result } = await site.stranger.request({ command: 'fee' });
    return Number(result.current_ledger_size) === openLedgerLimit;
  });
}

test('the next ledger is filled while the last one is being read', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  const reads = reading();
  const process = await site.start({ gateway: reads.of });
  await site.settle([await site.request()]);

  const ids = await requestMany(site, openLedgerLimit * 2);
  await full(site);
  reads.hold();
  await site.ledger.close();
  await full(site);
  const states = await Promise.all(ids.map((id) => site.state(id)));
  t.ok(
    states.every(({ status }) => status === 'processing'),
    'the first ones are not settled, the others are submitted',
  );

  reads.release();
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, ids.length + 1, 'each of them once');
  t.strictSame(process.errors, []);
});

test('no more is signed than the open ledger takes', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  await site.start();
  await site.settle([await site.request()]);
  const ids = await requestMany(site, openLedgerLimit * 3);
  await full(site);
  await site.request({ queued: true });
  const states = await Promise.all(ids.map((id) => site.state(id)));
  t.equal(states.filter(({ status }) => status === 'processing').length, openLedgerLimit);
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
});

test('while the ledgers cannot be read, transactions of three ledgers at most are outstanding', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  const reads = reading();
  await site.start({ gateway: reads.of });
  await site.settle([await site.request()]);
  reads.hold();
  const ids = await requestMany(site, openLedgerLimit * 5);
  for (let ledger = 0; ledger < 3; ledger += 1) {
    await full(site);
    await site.ledger.close();
  }
  await site.request({ queued: true });
  const states = await Promise.all(ids.map((id) => site.state(id)));
  t.equal(states.filter(({ status }) => status === 'processing').length, openLedgerLimit * 3);
  reads.release();
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
});
