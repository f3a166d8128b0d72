import { test } from 'tap';
import type { GapFillPrepared } from '../../../../src/domain/account/events.ts';
import type { StreamName } from '../../../../src/domain/stream-name.ts';
import { signAnchor } from '../../../../src/ledger/anchor-transaction.ts';
import { createMemoryEventStore } from './memory-event-store.ts';
import { accounts, type SimulatedAccount } from './simulated-accounts.ts';
import { ChainRecord } from './simulated-chain.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { Truth } from './truth.ts';

const [account] = accounts as readonly [SimulatedAccount];
const ledgerId = 'testnet:1';

/** A log of signatures, the only chain, and the claims about both. */
function createHistory() {
  const record = new ChainRecord();
  const closed = (index: number) =>
    record.note({ header: { ledgerIndex: index, closeTime: 0 } as never, hash: `${index}` });
  closed(1);
  const network = { records: [record], nowMs: 0 } as unknown as SimulatedNetwork;
  const truth = new Truth(network);
  const store = createMemoryEventStore({ onAppend: (event) => truth.appended(event) });
  const append = async (stream: string, event: object) => {
    const name = stream as StreamName<never>;
    const expectedVersion = await store.versionOf(name);
    const entry = { organisationId: null, stream: name, expectedVersion, events: [event] };
    await store.append([entry as never], {});
  };
  return {
    truth,
    closed,
    join: () => append('ledger', { type: 'LedgerJoined', data: { ledgerId, hash: '1' } }),
    async signed(stream: string, sequence: number, lastLedgerSequence: number) {
      const { blob, hash } = signAnchor(
        { sequence, feeDrops: 10, lastLedgerSequence, memo: null },
        account.signer,
      );
      const data: GapFillPrepared['data'] = {
        ...{ ledgerId, transactionHash: hash, blob, account: account.address, sequence },
        ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence, replaces: null },
      };
      const prepared = { ...data, hashScheme: 'sha256', previousTransactionHash: null };
      await append(stream, { type: 'AnchorPrepared', data: prepared });
      return { blob, hash };
    },
    expired: (stream: string, transactionHash: string) =>
      append(stream, {
        type: 'AnchorExpired',
        data: { transactionHash, reason: 'absent', engineResult: null },
      }),
    lose: (count: number) => truth.lost(store.lose(count, 1), store.events),
  };
}

test('a lost signature may be submitted again beside an older one that had expired', async (t) => {
  const history = createHistory();
  await history.join();
  const older = await history.signed('proof-1', 5, 9);
  history.closed(9);
  await history.expired('proof-1', older.hash);
  const newer = await history.signed('proof-2', 5, 17);
  history.truth.submitted(newer.blob);
  history.lose(2);
  history.truth.submitted(newer.blob);
  t.strictSame(history.truth.violations, []);
});

for (const [what, stream, sequence] of [
  ['with the Sequence of', 'proof-2', 5],
  ['for the proof of', 'proof-1', 6],
] as const) {
  test(`nothing may be submitted ${what} a lost signature that may still come`, async (t) => {
    const history = createHistory();
    await history.join();
    const lost = await history.signed('proof-1', 5, 9);
    history.truth.submitted(lost.blob);
    history.lose(1);
    const again = await history.signed(stream, sequence, 10);
    t.strictSame(history.truth.violations, [], 'nothing is submitted yet');
    history.truth.submitted(again.blob);
    t.match(history.truth.violations, [`submitted beside ${lost.hash}`]);
    history.truth.submitted(lost.blob);
    t.equal(history.truth.violations.length, 2, 'nor the lost one beside the new one');
  });

  test(`something may be submitted ${what} a lost signature that cannot come any more`, async (t) => {
    const history = createHistory();
    await history.join();
    const lost = await history.signed('proof-1', 5, 9);
    history.truth.submitted(lost.blob);
    history.lose(1);
    history.closed(9);
    const again = await history.signed(stream, sequence, 17);
    history.truth.submitted(again.blob);
    t.strictSame(history.truth.violations, []);
  });
}
