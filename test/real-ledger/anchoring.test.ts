import { test } from 'tap';
import { Wallet } from 'xrpl';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { createAnchoringSiteOn } from '../support/anchoring-site.ts';
import { noRippled, startRippled } from '../support/real-ledger.ts';

const openLedgerLimit = 60;
const proofs = 300;

/** Counts how often each transaction is submitted. */
function counting() {
  const times = new Map<string, number>();
  const results = new Map<string, number>();
  const count = (counts: Map<string, number>, of: string) =>
    counts.set(of, (counts.get(of) ?? 0) + 1);
  const gateway = (real: LedgerGateway): LedgerGateway => ({
    ...real,
    async submit(blob) {
      count(times, blob);
      const answer = await real.submit(blob);
      count(results, answer.engineResult);
      return answer;
    },
  });
  return { gateway, times, results };
}

/** Transactions that the log has as anchored, by hash. */
async function anchoredInLog({
  store,
}: {
  readonly store: EventStore;
}): Promise<Map<string, number>> {
  const events = await store.readLog(0, 10_000, ['Anchored']);
  return new Map(
    events.flatMap((event): [string, number][] =>
      event.type === 'Anchored' ? [[event.data.transactionHash, event.data.ledgerIndex]] : [],
    ),
  );
}

test('proofs are anchored once each, and the log agrees with the history of the accounts', {
  skip: noRippled,
}, async (t) => {
  const start = () => startRippled({ openLedgerLimit });
  const site = await createAnchoringSiteOn(t, start);
  const second = Wallet.generate();
  await site.fund([second.address]);
  const { gateway, times, results } = counting();
  const process = await site.start({ gateway, wallets: [site.wallet, second] });
  const ids = await Promise.all(Array.from({ length: proofs }, () => site.request()));
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));

  const addresses = [site.wallet.address, second.address];
  const histories = await Promise.all(addresses.map((address) => site.anchored([address])));
  const onLedger = histories.flat();
  const inLog = await anchoredInLog(site);
  t.equal(inLog.size, proofs);
  t.strictSame(
    new Set(onLedger.map(({ hash }) => hash)),
    new Set(inLog.keys()),
    'the history has the transactions of the log, and no others',
  );
  t.equal(new Set(onLedger.map(({ fileHash }) => fileHash)).size, proofs);
  for (const history of histories) {
    const [first = 0] = history.map(({ sequence }) => sequence);
    t.strictSame(
      history.map(({ sequence }) => sequence),
      history.map((_, place) => first + place),
      'no Sequence is missing',
    );
  }
  t.ok(
    [...times.values()].every((count) => count === 1),
    'no transaction was submitted twice',
  );
  t.strictSame([...results.keys()], ['tesSUCCESS']);
  t.strictSame(process.errors, []);
});

test('after a restart in the midst of a ledger, nothing is anchored twice', {
  skip: noRippled,
}, async (t) => {
  const start = () => startRippled({ openLedgerLimit });
  const site = await createAnchoringSiteOn(t, start);
  const first = await site.start();
  await site.settle([await site.request()]);
  const ids = await Promise.all(Array.from({ length: 100 }, () => site.request()));
  await site.until(ids[0] as never, ({ status }) => status === 'processing');
  await first.stop();
  await site.ledger.close();
  await site.start();
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  const onLedger = await site.anchored();
  t.equal(onLedger.length, ids.length + 1);
  t.equal(new Set(onLedger.map(({ fileHash }) => fileHash)).size, ids.length + 1);
});
