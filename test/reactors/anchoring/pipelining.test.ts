import { test } from 'tap';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { type AnchoringSite, createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

const openLedgerLimit = 30;

/** A gateway whose reading of whole ledgers can be held up, and whose servers can be others. */
function reading() {
  let release = () => {};
  let gate = Promise.resolve();
  const submitted: string[] = [];
  const state = { epoch: null as string | null, asked: 0 };
  return {
    submitted,
    state,
    hold() {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    of: (real: LedgerGateway): LedgerGateway => ({
      ...real,
      current() {
        const status = real.current();
        const { epoch } = state;
        return status.connected && epoch !== null ? { ...status, epoch } : status;
      },
      async submit(blob) {
        submitted.push(blob);
        return real.submit(blob);
      },
      async ledger(index) {
        state.asked += 1;
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
  t.equal((await site.anchored()).length, ids.length + 1);
  t.equal(new Set(reads.submitted).size, reads.submitted.length, 'each of them once');
  t.strictSame(process.errors, []);
});

test('the next ledger is signed for ahead, and submitted once it opens', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  const reads = reading();
  await site.start({ gateway: reads.of });
  await site.settle([await site.request()]);
  const ids = await requestMany(site, openLedgerLimit * 3);
  const processing = async () => {
    const states = await Promise.all(ids.map((id) => site.state(id)));
    return states.filter(({ status }) => status === 'processing').length;
  };
  await full(site);
  await until('two ledgers are signed for', async () => {
    return (await processing()) === openLedgerLimit * 2;
  });
  const last = await site.request({ queued: true });
  t.equal(await processing(), openLedgerLimit * 2, 'and no more');
  const { result } = await site.stranger.request({ command: 'fee' });
  t.match(result, { current_ledger_size: `${openLedgerLimit}`, current_queue_size: '0' });

  reads.hold();
  await site.ledger.close();
  await full(site);
  reads.release();
  const settled = await site.settle([...ids, last]);
  t.ok(settled.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, ids.length + 2);
  t.equal(new Set(reads.submitted).size, reads.submitted.length, 'each of them once');
});

test('what is signed ahead is not submitted to servers that were not confirmed', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  const reads = reading();
  await site.start({ gateway: reads.of });
  await site.settle([await site.request()]);
  const ids = await requestMany(site, openLedgerLimit * 2);
  await full(site);
  await until('two ledgers are signed for', async () => {
    const states = await Promise.all(ids.map((id) => site.state(id)));
    return states.every(({ status }) => status === 'processing');
  });
  const before = reads.submitted.length;
  reads.hold();
  const { asked } = reads.state;
  reads.state.epoch = 'other servers';
  await site.ledger.close();
  await until('their ledger is compared', async () => reads.state.asked > asked);
  t.equal(reads.submitted.length, before);
  reads.release();
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
});

test('while the ledgers cannot be read, transactions of four ledgers at most are outstanding', async (t) => {
  const site = await createAnchoringSite(t, {
    openLedgerLimit,
    openLedgerMaximum: openLedgerLimit,
  });
  const reads = reading();
  await site.start({ gateway: reads.of });
  await site.settle([await site.request()]);
  reads.hold();
  const ids = await requestMany(site, openLedgerLimit * 6);
  for (let ledger = 0; ledger < 4; ledger += 1) {
    await full(site);
    await site.ledger.close();
  }
  await site.request({ queued: true });
  const states = await Promise.all(ids.map((id) => site.state(id)));
  t.equal(states.filter(({ status }) => status === 'processing').length, openLedgerLimit * 4);
  reads.release();
  const settled = await site.settle(ids);
  t.ok(settled.every(({ status }) => status === 'completed'));
});
