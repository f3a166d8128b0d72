import { test } from 'tap';
import { AnchoringFold } from '../../../src/anchoring-state/anchoring-fold.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import type { LedgerTip } from '../../../src/ledger/contract.ts';
import { Settling } from '../../../src/reactors/anchoring/settling.ts';
import { connected } from '../../support/scripted-gateway.ts';

const ledgerId = '1-A';
const joinedAt: LedgerTip = { index: 900, hash: 'J'.repeat(64), closeTime: 816_000_000 };
const other: LedgerTip = { index: 998, hash: 'B'.repeat(64), closeTime: 816_999_000 };

/** Settles up to the tip of `connected`, with no server that shows it. Returns the known ledger. */
async function knownAfter(shownBefore: (connect: () => void) => LedgerTip): Promise<LedgerTip> {
  const fold = new AnchoringFold('testnet');
  const joined = { ledgerId, network: 'testnet', networkId: 1, standalone: false, ...joinedAt };
  const event = { stream: `ledger-${ledgerId}`, type: 'LedgerJoined', data: joined };
  fold.observe([event as StoredEvent], 1);
  let epoch = connected.epoch;
  const connect = () => {
    epoch = '2';
  };
  const settling = new Settling({
    fold,
    gateway: {
      name: () => 'testnet',
      shown: async () => null,
      shownBefore: async () => shownBefore(connect),
    },
    ledger: { isOfEpoch: (of: string) => of === epoch, tipShown: () => null },
    reader: { advance: async () => {}, tipRead: () => null, readTo: 0 },
    holds: { outstanding: () => new Map(), submittable: async () => [] },
    submission: { resend: async () => {} },
  } as unknown as ConstructorParameters<typeof Settling>[0]);
  await settling.settle(connected, ledgerId);
  if (fold.ledger === null) throw new Error('the ledger is known');
  return fold.ledger.tip as LedgerTip;
}

test('a ledger that confirmed servers show shortly before the tip is known', async (t) => {
  t.strictSame(await knownAfter(() => other), other);
});

test('a server that connects meanwhile does not tell which ledger is known', async (t) => {
  const known = await knownAfter((connect) => {
    connect();
    return other;
  });
  t.match(known, joinedAt);
});
