import { test } from 'tap';
import type { SignedTransaction } from '../../../src/domain/ledger/transaction.ts';
import { SignedAhead } from '../../../src/reactors/anchoring/signed-ahead.ts';

const signed = (account: string, sequence: number): SignedTransaction => ({
  ...{ account, sequence, ledgerId: '1', transactionHash: `${account}${sequence}`, blob: '' },
  ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null },
});
const hashes = (taken: readonly SignedTransaction[]) =>
  taken.map(({ transactionHash }) => transactionHash);

test('each account gets its places, in the order of Sequences', (t) => {
  const ahead = new SignedAhead();
  ahead.open(new Map([['a', 2]]));
  ahead.add([signed('a', 1), signed('b', 1), signed('a', 2)]);
  ahead.add([signed('a', 3), signed('b', 2)]);
  t.strictSame(hashes(ahead.take()), ['a1', 'a2', 'b1', 'b2'], 'only a has a limit');
  t.equal(ahead.size, 1);
  t.strictSame(ahead.take(), [], 'its places are taken');
  ahead.open(new Map([['a', 0]]));
  t.strictSame(ahead.take(), []);
  ahead.open(new Map([['a', 1]]));
  t.strictSame(hashes(ahead.take()), ['a3']);
  t.equal(ahead.size, 0);
  t.end();
});
