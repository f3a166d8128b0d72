import { test } from 'tap';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { Withdrawn } from '../../../src/ledger/ledger-unavailable.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';
import { createCrowd } from '../../support/crowd.ts';
import { until } from '../../support/until.ts';

const none = { queuedAtMaxFee: false, submissionLimit: false };
const many = Array.from({ length: 40 });

test('a crowd that pays more than the limit is the reason while transactions are queued', async (t) => {
  const site = await createAnchoringSite(t, { openLedgerLimit: 10, openLedgerMaximum: 10 });
  const crowd = await createCrowd(site.ledger.url, 6);
  t.teardown(() => crowd.close());
  await site.fund(crowd.addresses);
  const { running } = await site.start({ maxFeeDrops: 1_000 });
  await crowd.fill(20);
  await site.ledger.close();
  await crowd.fill(20);
  t.strictSame(running.delays(), none, 'nothing of ours waits');
  const ids = await Promise.all(many.map(() => site.request({ queued: true })));
  let delayed = 0;
  await site.closeUntil(async () => {
    await crowd.fill(20);
    t.equal(running.paused(), null, 'it is not paused');
    if (running.delays().queuedAtMaxFee) delayed += 1;
    const states = await Promise.all(ids.map((id) => site.state(id)));
    return states.every(({ status }) => status === 'completed');
  }, 200);
  t.ok(delayed > 0);
  await site.closeUntil(async () => !running.delays().queuedAtMaxFee);
  t.strictSame(running.delays(), none);
});

test('while the servers take no more submissions, their limit is the reason', async (t) => {
  const site = await createAnchoringSite(t);
  const server = { room: 5, waiting: 0 };
  const gateway = (real: LedgerGateway): LedgerGateway => ({
    ...real,
    submissionsWithin: () => server.room,
    submissionsWaiting: () => server.waiting,
  });
  const { running } = await site.start({ gateway });
  await site.settle([await site.request()]);
  t.strictSame(running.delays(), none);
  server.waiting = 1;
  t.strictSame(running.delays(), { ...none, submissionLimit: true }, 'one waits for its turn');
  server.waiting = 0;
  server.room = 0;
  const proofId = await site.request({ queued: true });
  await until('the delay', async () => running.delays().submissionLimit);
  t.equal((await site.state(proofId)).status, 'pending');
  t.equal(running.paused(), null);
  server.room = 5;
  await site.settle([proofId]);
  t.strictSame(running.delays(), none);
});

test('a transaction that waits for a server beyond its last ledger is signed anew, not submitted', async (t) => {
  const site = await createAnchoringSite(t);
  const turn = Promise.withResolvers<void>();
  const submitted: string[] = [];
  const held: string[] = [];
  const gateway = (real: LedgerGateway): LedgerGateway => ({
    ...real,
    async submit(blob, earlier, isWanted = () => true) {
      if (held.length === 0) {
        held.push(blob);
        await turn.promise;
        if (!isWanted()) throw new Withdrawn();
      }
      submitted.push(blob);
      return real.submit(blob, earlier, isWanted);
    },
  });
  const { running } = await site.start({ gateway });
  const proofId = await site.request({ queued: true });
  await until('the submission', async () => held.length === 1);
  let tip = 0;
  for (let closed = 0; closed < 9; closed += 1) tip = (await site.ledger.close()).ledgerIndex;
  await until('the last ledger', async () => running.seen() >= tip);
  turn.resolve();
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
  t.notOk(submitted.includes(held[0] ?? ''), 'no server got it');
  t.equal(submitted.length, 1);
  t.equal((await site.store.readLog(0, 10_000, ['AnchorExpired'])).length, 1);
});

test('after a restart nothing that servers may have is submitted again for two ledgers', async (t) => {
  const site = await createAnchoringSite(t);
  const submitted: { readonly blob: string; readonly after: number }[] = [];
  let loses = true;
  const gateway = (real: LedgerGateway): LedgerGateway => ({
    ...real,
    async submit(blob, ...rest) {
      const status = real.current();
      const validatedLedger = status.connected ? status.tip.index : 0;
      submitted.push({ blob, after: validatedLedger });
      // The server says that it has the transaction, and loses it.
      return loses
        ? { engineResult: 'tesSUCCESS', message: '', validatedLedger }
        : real.submit(blob, ...rest);
    },
  });
  const first = await site.start({ gateway });
  const ids = await Promise.all(many.map(() => site.request({ queued: true })));
  await until('the submissions', async () => submitted.length === many.length);
  await first.stop();
  loses = false;
  const { ledgerIndex } = await site.ledger.close();
  const before = submitted.splice(0).map(({ blob }) => blob);
  await site.start({ gateway });
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.strictSame(submitted.map(({ blob }) => blob).sort(), before.sort(), 'each once more');
  const earliest = Math.min(...submitted.map(({ after }) => after));
  t.ok(earliest >= ledgerIndex + 2, `${earliest} after a restart at ${ledgerIndex}`);
});
