import { test } from 'tap';
import { declareLedgerGone } from '../../src/commands/declare-ledger-gone.ts';
import { joinLedger } from '../../src/commands/join-ledger.ts';
import { streams } from '../../src/domain/streams.ts';
import { createMemoryEventStore } from '../reactors/anchoring/simulation/memory-event-store.ts';

const tip = { index: 7, hash: 'AA'.repeat(32), closeTime: 800_000_000 };

test('concurrent joins of a ledger record it once', async (t) => {
  const store = createMemoryEventStore();
  const joined = { network: 'testnet', networkId: 1, standalone: false, tip } as const;
  const join = (actor: 'operator' | 'anchoring') => joinLedger(store, joined, { actor });
  await Promise.all([join('operator'), join('anchoring'), join('anchoring')]);
  const ledgerId = `1-${tip.hash}`;
  const events = () => store.readStream(streams.ledger(ledgerId));
  t.match(await events(), [
    {
      type: 'LedgerJoined',
      meta: { actor: 'operator' },
      data: { ledgerId, network: 'testnet', networkId: 1, standalone: false, ...tip },
    },
  ]);
  await declareLedgerGone(store, ledgerId, {});
  await join('anchoring');
  t.equal((await events()).length, 2, 'a ledger that is gone does not come back');
});

test('the id of Mainnet is the number of the network alone', async (t) => {
  const store = createMemoryEventStore();
  const joined = { network: 'mainnet', networkId: 0, standalone: false, tip } as const;
  await joinLedger(store, joined, {});
  await joinLedger(store, { ...joined, tip: { ...tip, hash: 'BB'.repeat(32) } }, {});
  t.match(await store.readStream(streams.ledger('0')), { length: 1 });
});
