import { test } from 'tap';
import type { SignedTransaction } from '../../../src/domain/ledger/transaction.ts';
import { SignedAhead } from '../../../src/reactors/anchoring/signed-ahead.ts';

const signed = (
  account: string,
  sequence: number,
  more: Partial<SignedTransaction> = {},
): SignedTransaction => ({
  ...{ account, sequence, ledgerId: '1', transactionHash: `${account}${sequence}`, blob: '' },
  ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null },
  ...more,
});
const hashes = (taken: readonly SignedTransaction[]) =>
  taken.map(({ transactionHash }) => transactionHash);
const places = (byAccount: Readonly<Record<string, number>>, ledgerId = '1') => ({
  ledgerId,
  byAccount: new Map(Object.entries(byAccount)),
});

test('each account gets its places, in the order of Sequences', async (t) => {
  const ahead = new SignedAhead();
  ahead.open(places({ a: 2 }));
  ahead.add([signed('a', 1), signed('b', 1), signed('a', 2)]);
  ahead.add([signed('a', 4), signed('b', 2)]);
  ahead.add([signed('a', 3)]);
  t.strictSame(hashes(ahead.take()), ['a1', 'a2', 'b1', 'b2'], 'only a has a limit');
  t.strictSame(ahead.take(), [], 'its places are taken');
  ahead.open(places({ a: 0 }));
  t.strictSame(ahead.take(), []);
  ahead.open(places({ a: 1 }));
  t.strictSame(hashes(ahead.take()), ['a3']);
  ahead.open(places({ a: 9 }));
  t.strictSame(hashes(ahead.take()), ['a4']);
});

test('what others wait for, and what has a place already, needs none', async (t) => {
  const ahead = new SignedAhead();
  ahead.open(places({ a: 1 }));
  ahead.add([signed('a', 7), signed('a', 8)]);
  t.strictSame(hashes(ahead.take()), ['a7']);
  ahead.open(places({ a: 0 }));
  ahead.add([signed('a', 7, { replaces: 'a7', transactionHash: 'a7 by a higher fee' })]);
  ahead.add([signed('a', 5), signed('a', 6), signed('a', 9)]);
  t.strictSame(hashes(ahead.take()), ['a7 by a higher fee', 'a5', 'a6']);
  ahead.add([signed('a', 8, { replaces: 'a8', transactionHash: 'a8 by a higher fee' })]);
  t.strictSame(ahead.take(), [], 'the one that it replaces has no place either');
});

test('nothing of another ledger than the open one is taken', async (t) => {
  const ahead = new SignedAhead();
  ahead.open(places({ a: 0 }));
  ahead.add([signed('a', 1)]);
  ahead.open(places({}, '2'));
  t.strictSame(ahead.take(), []);
  ahead.add([signed('a', 1, { ledgerId: '2', transactionHash: 'of 2' })]);
  t.strictSame(hashes(ahead.take()), ['of 2']);
  t.strictSame(hashes(ahead.drop(() => false)), ['a1']);
  ahead.open(places({}));
  t.strictSame(ahead.take(), []);
});

test('what is dropped uses no place', async (t) => {
  const ahead = new SignedAhead();
  ahead.open(places({ a: 0 }));
  ahead.add([signed('a', 1), signed('a', 2), signed('a', 3)]);
  t.strictSame(hashes(ahead.drop(({ sequence }) => sequence === 2)), ['a1', 'a3']);
  ahead.open(places({ a: 1 }));
  t.strictSame(hashes(ahead.take()), ['a2']);
});
