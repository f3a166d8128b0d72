import { test } from 'tap';
import { AnchoringFold } from '../../../src/anchoring-state/anchoring-fold.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import type { LedgerGateway, LedgerTip } from '../../../src/ledger/contract.ts';
import {
  ConfirmedLedger,
  type Connected,
} from '../../../src/reactors/anchoring/confirmed-ledger.ts';

const tipAt = (index: number): LedgerTip => ({ index, hash: `T${index}`, closeTime: index * 4 });

/** Servers of one epoch that report this tip. */
function reporting(index: number, outruns: boolean): Connected {
  const fees = { baseFeeDrops: 10, openLedgerFeeDrops: 10, queueFeeDrops: 10 };
  const tip = tipAt(index);
  return {
    ...{ connected: true, networkId: 1, epoch: '1 1', standalone: false, tip, outruns },
    ...{ ...fees, expectedLedgerSize: 100, reserve: null },
  };
}

/** The ledger that is known up to 1,000, confirmed at 1,001, and how often ledgers were forgotten. */
async function confirmedAt1001(
  shown: LedgerGateway['shown'],
  shownBefore: LedgerGateway['shownBefore'] = async () => null,
) {
  const fold = new AnchoringFold('testnet');
  const joined = { ledgerId: '1-A', network: 'testnet', networkId: 1, standalone: false };
  const event = {
    stream: 'ledger-1-A',
    type: 'LedgerJoined',
    data: { ...joined, ...tipAt(1_000) },
  };
  fold.observe([event as StoredEvent], 1);
  let restarts = 0;
  const status = reporting(1_001, false);
  const gateway = {
    network: 'testnet',
    current: () => status,
    ledgers: async () => [{ server: 'wss://one', ledger: tipAt(1_000) }],
    ...{ shown, shownBefore },
  };
  const deps = { gateway } as unknown as ConstructorParameters<typeof ConfirmedLedger>[0];
  const ledger = new ConfirmedLedger(deps, fold, () => {
    restarts += 1;
  });
  await ledger.confirm(status);
  return { ledger, restarts: () => restarts };
}

test('nothing is signed for a ledger that outruns another server before it is shown', async (t) => {
  const { ledger } = await confirmedAt1001(async (tip) => tip);
  const known = { ledgerId: '1-A' };
  t.match(ledger.confirmed(reporting(1_020, false)), known);
  t.equal(ledger.confirmed(reporting(1_020, true)), null);
  t.match(await ledger.confirm(reporting(1_020, true)), known);
  t.match(ledger.confirmed(reporting(1_020, true)), known);
  t.match(ledger.confirmed(reporting(1_022, true)), known, 'servers may differ by so many');
  t.equal(ledger.confirmed(reporting(1_023, true)), null);
});

test('a server that shows its ledger late has its ledgers read no second time', async (t) => {
  let isLate = true;
  const asked: number[] = [];
  const { ledger, restarts } = await confirmedAt1001(async (tip) => {
    asked.push(tip.index);
    return isLate ? null : tip;
  });
  t.equal(restarts(), 1);
  t.equal(await ledger.confirm(reporting(1_020, true)), 'behind');
  t.equal(ledger.ledgerId, '1-A');
  isLate = false;
  t.match(await ledger.confirm(reporting(1_020, true)), { ledgerId: '1-A' });
  t.match(await ledger.confirm(reporting(1_020, true)), { ledgerId: '1-A' });
  t.strictSame(asked, [1_020, 1_020], 'a shown ledger is not asked for again');
  t.strictSame(ledger.tipShown(tipAt(1_020)), tipAt(1_020));
  t.equal(restarts(), 1);
});

test('a far ledger that no server shows stops nothing while they show one shortly before', async (t) => {
  let isThere = false;
  const unshown = async () => null;
  const { ledger } = await confirmedAt1001(unshown, async () => (isThere ? tipAt(1_098) : null));
  t.equal(await ledger.confirm(reporting(1_100, false)), 'behind');
  isThere = true;
  t.match(await ledger.confirm(reporting(1_100, false)), { ledgerId: '1-A' });
  t.equal(ledger.confirmed(reporting(1_100, false)), null, 'nothing is signed before it is noted');
});
