import { test } from 'tap';
import { declareLedgerGone } from '../../../src/commands/declare-ledger-gone.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

/** The real gateway with some methods replaced. */
function but(real: LedgerGateway, other: Partial<LedgerGateway>): LedgerGateway {
  return { ...real, ...other };
}

/** Ledger interval long enough for submissions at a bearable pace. */
const realPaceMs = 400;
const many = Array.from({ length: 20 });

test('when answers are lost before or after the effect, every proof is anchored exactly once', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start({
    gateway: (real) => {
      const seen = new Set<string>();
      return but(real, {
        async submit(blob) {
          const again = seen.has(blob);
          seen.add(blob);
          if (!again && seen.size % 2 === 0) throw new LedgerUnavailable('lost before');
          const answer = await real.submit(blob);
          if (!again) throw new LedgerUnavailable('lost after');
          return answer;
        },
      });
    },
  });
  const states = await site.settle(await Promise.all(many.map(() => site.request())));
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, many.length);
});

test('nothing is submitted before it is covered, even after a restart', async (t) => {
  const site = await createAnchoringSite(t);
  const cover = { troubles: 0, position: 0, lastLedger: 0 };
  const uncovered: string[] = [];
  let submitted = 0;
  const options = {
    async cover(lastLedger: number) {
      cover.troubles -= 1;
      if (cover.troubles >= 0) throw new Error('the storage is away');
      Object.assign(cover, { position: await site.store.head(), lastLedger });
    },
    gateway: (real: LedgerGateway) =>
      but(real, {
        async submit(blob) {
          submitted += 1;
          const prepared = await site.store.readLog(0, 1_000, ['AnchorPrepared']);
          const own = prepared.find((event) => 'blob' in event.data && event.data.blob === blob);
          const { position = 0, data } = own ?? {};
          const last = data && 'lastLedgerSequence' in data ? data.lastLedgerSequence : 0;
          if (position > cover.position || last > cover.lastLedger) uncovered.push(blob);
          return real.submit(blob);
        },
      }),
  };
  const first = await site.start(options);
  await site.settle(await Promise.all(many.map(() => site.request())));
  cover.troubles = Number.POSITIVE_INFINITY;
  const before = submitted;
  const proofId = await site.request();
  await site.until(proofId, ({ status }) => status === 'processing');
  await until('covering is tried again', async () => first.errors.length >= 2);
  t.equal(submitted, before, 'signed but not submitted');
  await first.stop();
  cover.troubles = 0;
  cover.position = 0;
  await site.start(options);
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
  t.strictSame(uncovered, []);
  t.equal((await site.anchored()).length, many.length + 1);
});

test('when a transaction never arrives, the proof is rolled back and the hash can be posted again', async (t) => {
  const site = await createAnchoringSite(t);
  let lossy = true;
  await site.start({
    gateway: (real) =>
      but(real, {
        submit: (blob) =>
          lossy ? Promise.reject(new LedgerUnavailable('lost')) : real.submit(blob),
      }),
  });
  const proofId = await site.request();
  const [withdrawn] = await site.settle([proofId]);
  t.equal(withdrawn?.status, 'withdrawn');
  t.equal((await site.anchored()).length, 0);

  lossy = false;
  if (withdrawn?.status !== 'withdrawn') return;
  const again = await site.request({ fileHash: withdrawn.request.fileHash });
  t.not(again, proofId);
  const [completed] = await site.settle([again]);
  t.equal(completed?.status, 'completed');
  t.equal((await site.anchored()).length, 1);
});

test('a queued proof whose transaction never arrived is signed and submitted again', async (t) => {
  const site = await createAnchoringSite(t);
  let lossy = true;
  await site.start({
    gateway: (real) =>
      but(real, {
        submit: (blob) =>
          lossy ? Promise.reject(new LedgerUnavailable('lost')) : real.submit(blob),
      }),
  });
  const proofId = await site.request({ queued: true });
  const first = await site.until(proofId, ({ status }) => status === 'processing');
  await site.closeUntil(async () => {
    const now = await site.state(proofId);
    return now.status === 'pending' || (now.status === 'processing' && now.failures > 0);
  });
  lossy = false;
  const [completed] = await site.settle([proofId]);
  t.equal(completed?.status, 'completed');
  if (first.status === 'processing' && completed?.status === 'completed') {
    t.not(completed.prepared.transactionHash, first.prepared.transactionHash);
  }
  t.equal((await site.anchored()).length, 1);
});

test('when one of many transactions is lost, its Sequence is filled and the others succeed', async (t) => {
  const site = await createAnchoringSite(t);
  let first: string | null = null;
  await site.start({
    gateway: (real) =>
      but(real, {
        submit(blob) {
          first ??= blob;
          return blob === first ? Promise.reject(new LedgerUnavailable('lost')) : real.submit(blob);
        },
      }),
  });
  const ids = await Promise.all(many.map(() => site.request({ queued: true })));
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  const anchored = (await site.anchored()).filter(({ fileHash }) => fileHash !== null);
  t.equal(anchored.length, many.length, 'each proof once');
});

test("when the caller's wait ends, an unsigned proof is rolled back, a signed one queued", async (t) => {
  const site = await createAnchoringSite(t);
  const unsigned = await site.request();
  await site.endWait(unsigned);
  t.equal((await site.state(unsigned)).status, 'withdrawn', 'nothing signed yet');

  await site.start();
  const signed = await site.request();
  await site.until(signed, ({ status }) => status === 'processing');
  await site.endWait(signed);
  const state = await site.state(signed);
  t.ok(state.status === 'processing' && state.queued);
  const [completed] = await site.settle([signed]);
  t.equal(completed?.status, 'completed');
  t.equal((await site.anchored()).length, 1);
});

test('the next process submits the same transaction after a kill between signing and submitting', async (t) => {
  const site = await createAnchoringSite(t);
  const killed = await site.start({
    gateway: (real) =>
      but(real, { submit: () => Promise.reject(new LedgerUnavailable('killed before')) }),
  });
  const ids = await Promise.all(many.map(() => site.request()));
  const prepared = await Promise.all(
    ids.map((id) => site.until(id, ({ status }) => status === 'processing')),
  );
  await killed.stop();
  await site.start();
  const states = await site.settle(ids);
  for (const [index, state] of states.entries()) {
    const before = prepared[index];
    t.ok(
      state.status === 'completed' &&
        before?.status === 'processing' &&
        state.prepared.transactionHash === before.prepared.transactionHash,
      'the transaction on record is the one anchored',
    );
  }
  t.equal((await site.anchored()).length, many.length);
});

test('the next process finds a transaction that was validated while no process ran', async (t) => {
  const site = await createAnchoringSite(t);
  const killed = await site.start();
  const proofId = await site.request();
  await site.until(proofId, ({ status }) => status === 'processing');
  await site.closeUntil(async () => {
    const pending = (await site.anchored()).length;
    if (pending === 0) await killed.stop();
    return pending === 1;
  });
  await killed.stop();
  for (const _ of many) await site.ledger.close();
  await site.start();
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
  t.equal((await site.anchored()).length, 1);
});

test('when a foreign transaction takes our Sequence, the proof is anchored under another one', async (t) => {
  const site = await createAnchoringSite(t);
  let stolen = false;
  await site.start({
    gateway: (real) =>
      but(real, {
        async submit(blob) {
          if (!stolen) {
            stolen = true;
            const prepared = await site.stranger.autofill({
              TransactionType: 'AccountSet',
              Account: site.wallet.address,
            });
            await site.stranger.request({
              command: 'submit',
              tx_blob: site.wallet.sign(prepared).tx_blob,
            });
          }
          return real.submit(blob);
        },
      }),
  });
  const ids = await Promise.all(many.map(() => site.request({ queued: true })));
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  const proofs = (await site.anchored()).filter(({ fileHash }) => fileHash !== null);
  t.equal(proofs.length, many.length);
  t.equal(new Set(proofs.map(({ fileHash }) => fileHash)).size, many.length);
});

test('when the server lost history, no transaction is called absent before all is searched', async (t) => {
  const site = await createAnchoringSite(t);
  let submitted = 0;
  const killed = await site.start({
    gateway: (real) =>
      but(real, {
        async submit(blob) {
          const answer = await real.submit(blob);
          submitted += 1;
          return answer;
        },
      }),
  });
  const proofId = await site.request();
  const signed = await site.until(proofId, ({ status }) => status === 'processing');
  if (signed.status !== 'processing') throw new Error('it is processing');
  await until('it is submitted', async () => submitted > 0);
  await killed.stop();
  const { minLedger, lastLedgerSequence, transactionHash } = signed.prepared;
  for (let index = minLedger; index <= lastLedgerSequence + 3; index += 1)
    await site.ledger.close();
  t.equal((await site.anchored()).length, 1, 'it is on the ledger');
  // The only server has forgotten the ledgers in which the transaction may be, but not the one before
  // them, by which the ledger is recognised.
  site.ledger.faults.forgetLedgers(minLedger + 1, lastLedgerSequence);
  site.ledger.faults.forgetSubmitted();
  let lookedUp = 0;
  await site.start({
    gateway: (real) =>
      but(real, {
        async lookUp(hash, range) {
          const found = await real.lookUp(hash, range);
          t.strictSame(found, { found: 'absent', searchedAll: false });
          lookedUp += 1;
          return found;
        },
      }),
  });
  // A fate is recorded before the next ledger is looked at. A wrong fate ends the look-ups.
  await site.closeUntil(
    async () => lookedUp > 2 || (await site.state(proofId)).status !== 'processing',
  );
  t.match(
    await site.state(proofId),
    { status: 'processing', prepared: { transactionHash } },
    'still open, under the same transaction',
  );
});

test('on a reset ledger anchoring pauses with a reason, and nothing expires', async (t) => {
  const site = await createAnchoringSite(t);
  const process = await site.start({ url: `${site.ledger.url}/secret` });
  await site.settle([await site.request()]);
  for (const _ of many) await site.ledger.close();
  const open = await site.request();
  await site.until(open, ({ status }) => status === 'processing');
  site.ledger.faults.reset();
  await site.closeUntil(() => process.otherLedgers.length > 0);
  t.equal(process.running.paused(), 'otherLedger');
  const [{ message } = { message: '' }] = process.otherLedgers;
  t.match(message, ` ${new URL(site.ledger.url).origin}: `);
  t.notMatch(message, 'secret');
  t.equal((await site.state(open)).status, 'processing');
  t.equal((await site.state(await site.request())).status, 'pending');
});

test('when a reset ledger is declared gone, queued proofs move on and others are rolled back', async (t) => {
  const site = await createAnchoringSite(t);
  const process = await site.start();
  const kept = await site.request();
  await site.settle([kept]);
  for (const _ of many) await site.ledger.close();
  const queued = await site.request({ queued: true });
  const waiting = await site.request();
  for (const id of [queued, waiting]) {
    await site.until(id, ({ status }) => status === 'processing');
  }
  const old = await site.state(kept);
  if (old.status !== 'completed') return;
  site.ledger.faults.reset();
  await site.closeUntil(() => process.otherLedgers.length > 0);

  await declareLedgerGone(site.store, old.anchor.ledgerId, { actor: 'operator' });
  await site.until(waiting, ({ status }) => status === 'withdrawn');
  await site.fund();
  const [completed] = await site.settle([queued]);
  t.ok(completed?.status === 'completed' && completed.anchor.ledgerId !== old.anchor.ledgerId);
  t.equal((await site.state(kept)).status, 'completed', 'completed proofs stay completed');
  t.equal(
    process.running.ledgerId(),
    completed?.status === 'completed' ? completed.anchor.ledgerId : '',
  );
});

test('when connections are closed for load or answered slowDown, all proofs are anchored once', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start();
  const request = () => Promise.all(many.map(() => site.request({ queued: true })));
  const allCompleted = (ids: readonly ProofId[]) => async () => {
    const states = await Promise.all(ids.map((id) => site.state(id)));
    return states.every(({ status }) => status === 'completed');
  };
  const dropped = await request();
  site.ledger.faults.closeConnections(1008);
  await site.closeUntil(allCompleted(dropped), realPaceMs);
  site.ledger.faults.slowDown(3);
  const slowed = await request();
  await site.closeUntil(allCompleted(slowed), realPaceMs);
  await site.stranger.connect().catch(() => {});
  const proofs = (await site.anchored()).filter(({ fileHash }) => fileHash !== null);
  t.equal(proofs.length, 2 * many.length);
});

test('while the fee exceeds the limit proofs stay pending, and are anchored when it falls', async (t) => {
  const site = await createAnchoringSite(t);
  site.ledger.faults.raiseLoadFactor(1_000);
  const process = await site.start({ maxFeeDrops: 100 });
  const proofId = await site.request();
  await site.closeUntil(() => process.running.paused() !== null);
  t.equal(process.running.paused(), 'feeAboveLimit');
  t.equal((await site.state(proofId)).status, 'pending');
  site.ledger.faults.raiseLoadFactor(1);
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
});
