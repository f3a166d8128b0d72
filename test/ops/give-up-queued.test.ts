import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import type { ProofId } from '../../src/domain/ulid.ts';
import { createAnchoringSite } from '../support/anchoring-site.ts';
import { copyOf, killedAt, restoring } from '../support/restored-copy.ts';

/** A proof that was queued when the backup was made, and anchored later. */
async function anchoredSinceBackup(t: Test, storage: 'kept' | 'back') {
  const site = await createAnchoringSite(t);
  const proofId: ProofId = await site.request({ queued: true });
  const backup = await site.store.readLog(0, 10_000);
  const running = await site.start();
  await site.settle([proofId]);
  await running.stop();
  return { site, proofId, copy: await copyOf(backup), ...(await restoring(t, site, storage)) };
}

test('gives up no proof of a copy, nor while its restore is unfinished', async (t) => {
  const { proofId, copy, restore, giveUp } = await anchoredSinceBackup(t, 'kept');
  await t.rejects(giveUp(copy, proofId), { name: 'LogDiffers', reason: { status: 'behind' } });
  await t.rejects(restore(copy, killedAt(copy, 3, 'before')), /killed/);
  const types = copy.events.map(({ type }) => type);
  t.strictSame(types.slice(-2), ['LedgerJoined', 'LogRestored'], 'nothing is reconciled yet');
  await t.rejects(giveUp(copy, proofId), {
    name: 'RestoreUnfinished',
    message: /`ops log restored`/,
  });
  t.match(await restore(copy), { recovered: 1, lost: [] });
});

test('gives up no proof that is on the ledger, if the storage was restored too', async (t) => {
  const { site, proofId, copy, restore, giveUp } = await anchoredSinceBackup(t, 'back');
  await t.rejects(giveUp(copy, proofId), { name: 'LogDiffers', reason: { status: 'forgotten' } });
  const restored = restore(copy);
  // A transaction may be under way for some more ledgers.
  await site.closeUntil(() => Promise.race([restored.then(() => true), delay(0, false)]));
  t.match(await restored, { recovered: 1, lost: [] });
});

test('gives up a queued proof after the restore, if its ledger shows everything', async (t) => {
  const site = await createAnchoringSite(t);
  const proofId = await site.request({ queued: true });
  const copy = await copyOf(await site.store.readLog(0, 10_000));
  const { restore, giveUp, disconnect } = await restoring(t, site, 'kept');
  t.match(await restore(copy), { recovered: 0, lost: [] });
  await t.rejects(giveUp(copy, proofId, []), {
    name: 'OperatorError',
    message:
      /no server of testnet is configured .*: set XRPL_TESTNET_URL, and run the command again/,
  });
  await giveUp(copy, proofId);
  t.equal(copy.events.filter(({ type }) => type === 'AnchorRefused').length, 1);
  await t.rejects(giveUp(copy, '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId), {
    code: 'PROOF_NOT_FOUND',
  });
  await disconnect();
  await t.rejects(giveUp(copy, proofId), {
    name: 'OperatorError',
    message: /^proof .* is not given up, since the servers of testnet cannot show .*: wait until/,
  });
});
