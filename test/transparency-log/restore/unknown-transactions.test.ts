import { test } from 'tap';
import { unknownTransactions } from '../../../src/transparency-log/restore/unknown-transactions.ts';

test('finds unknown transactions sent before one with a ticket', async (t) => {
  // As on a real ledger, where Sequences begin at the ledger index.
  const highest = 90_000_000;
  const taken = { type: 'SequencesTaken', data: { taken: [{ sequence: highest }] } };
  const store = { readNewest: async () => [taken], readStreams: async () => new Map() } as never;
  const sent = [null, highest + 1, highest - 5_000].map((sequence) => ({
    hash: `hash of ${sequence}`,
    sequence,
  }));
  const gateway = {
    network: 'testnet',
    account: async () => ({ sequence: highest + 2 }),
    sent: async () => ({ transactions: sent, searchedFrom: 1, next: null }),
  } as never;
  const of = { logId: 'one', ledgerId: '1', account: 'rOne' };
  const found = await unknownTransactions(store, gateway, of);
  t.strictSame(
    found.map(({ hash }) => hash),
    [`hash of ${highest + 1}`, 'hash of null'],
  );
});
