import { test } from 'tap';
import { LoggedHistory } from '../../../ops/crash/logged-history.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';

const recordedAt = '2026-01-02T03:04:05.000Z';

/** A log of these events, with no other fields than the given ones. */
function logOf(...events: readonly object[]) {
  const stored = events.map((event, index) => ({ position: index + 1, recordedAt, ...event }));
  return { readLog: async (after: number) => stored.slice(after) as unknown as StoredEvent[] };
}

test('the history has the outcome of each proof and of each signed transaction', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start();
  const [anchored, withdrawn] = [await site.request({ queued: true }), await site.request()];
  await site.endWait(withdrawn);
  await site.settle([anchored, withdrawn]);
  const log = new LoggedHistory();
  await log.catchUp(site.store);
  t.ok(log.isSettled);
  const of = (id: string) => log.proofs.find(({ proofId }) => proofId === id);
  const [first, second] = [of(anchored), of(withdrawn)];
  const [transaction] = log.transactions;
  t.equal(first?.anchored[0]?.txHash, transaction?.txHash);
  t.ok(first?.queuedAt);
  t.match(transaction, { outcome: 'validated', proofId: anchored, account: site.wallet.address });
  t.match(log.taken[0], { sequence: transaction?.sequence, proofId: anchored });
  t.equal(second?.anchored.length === 0, second?.withdrawnAt !== null);

  const later = await site.request({ queued: true });
  await log.catchUp(site.store);
  t.notOk(log.isSettled, 'the history continues from its last position');
  t.match(of(later), { anchored: [], withdrawnAt: null });
});

const prepared = (transactionHash: string, replaces: string | null) => ({
  type: 'AnchorPrepared',
  stream: 'proof-P',
  data: { transactionHash, account: 'rA', sequence: 5, replaces },
});
const requested = { type: 'ProofRequested', stream: 'proof-P', data: { proofId: 'P' } };

for (const [words, outcome, expected] of [
  ['the first', { type: 'Anchored', hash: 'A' }, ['validated', 'replaced', 'replaced']],
  ['the last', { type: 'Anchored', hash: 'C' }, ['replaced', 'replaced', 'validated']],
  ['none', { type: 'AnchorExpired', hash: 'C' }, ['absent', 'absent', 'absent']],
] as const) {
  test(`of three transactions that replace each other, ${words} is on the ledger`, async (t) => {
    const data = { transactionHash: outcome.hash, ledgerIndex: 7, reason: 'absent' };
    const log = new LoggedHistory();
    const signed = [prepared('A', null), prepared('B', 'A'), prepared('C', 'B')];
    await log.catchUp(logOf(requested, ...signed, { type: outcome.type, stream: 'proof-P', data }));
    t.strictSame(
      log.transactions.map((one) => one.outcome),
      expected,
    );
  });
}

test('a gap in the log is refused', async (t) => {
  const log = logOf({ type: 'LogOpened' }, { type: 'LogOpened', position: 3 });
  await t.rejects(new LoggedHistory().catchUp(log), { message: 'the log has no event 2' });
});

test('an outcome of a transaction that was never signed is refused', async (t) => {
  const data = { transactionHash: 'A', reason: 'absent' };
  const log = logOf({ type: 'AnchorExpired', stream: 'proof-P', data });
  await t.rejects(new LoggedHistory().catchUp(log), /without its signature on record/);
});
