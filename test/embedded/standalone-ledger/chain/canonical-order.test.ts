import { test } from 'tap';
import { Wallet } from 'xrpl';
import { canonicalOrder } from '../../../../src/embedded/standalone-ledger/chain/canonical-order.ts';
import { parseTransaction } from '../../../../src/embedded/standalone-ledger/codec/parse-transaction.ts';

const wallets = Array.from({ length: 12 }, () => Wallet.generate());

function transaction(wallet: Wallet, fields: { Sequence: number; TicketSequence?: number }) {
  const common = { TransactionType: 'AccountSet', Account: wallet.address, Fee: '12' } as const;
  return parseTransaction(wallet.sign({ ...common, ...fields }).tx_blob);
}

const set = wallets.flatMap((wallet) => [
  transaction(wallet, { Sequence: 0, TicketSequence: 2 }),
  transaction(wallet, { Sequence: 9 }),
  transaction(wallet, { Sequence: 8 }),
]);

test('the order is independent of the order of arrival', async (t) => {
  const hashes = (all: typeof set) => canonicalOrder(all).map(({ hash }) => hash);
  t.strictSame(hashes([...set].reverse()), hashes(set));
});

test('transactions of an account stay together: sequences first, then tickets', async (t) => {
  const ordered = canonicalOrder(set);
  for (let at = 0; at < ordered.length; at += 3) {
    const own = ordered.slice(at, at + 3);
    t.equal(new Set(own.map(({ account }) => account)).size, 1);
    t.strictSame(
      own.map(({ sequence }) => sequence),
      [8, 9, 2],
    );
  }
});

test('the whole set decides which account comes first', async (t) => {
  const [first, second] = wallets;
  if (first === undefined || second === undefined) throw new Error('no wallets');
  const pair = [transaction(first, { Sequence: 1 }), transaction(second, { Sequence: 1 })];
  const leaders = new Set<string | undefined>();
  for (let Sequence = 100; Sequence < 140; Sequence += 1) {
    const ordered = canonicalOrder([...pair, transaction(first, { Sequence })]);
    leaders.add(ordered[0]?.account);
  }
  t.equal(leaders.size, 2);
});
