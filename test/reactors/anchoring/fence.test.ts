import { test } from 'tap';
import type { WorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';

/** Locks of a process that was frozen: it believes it still holds all of them. */
const imaginary: WorkLocks = {
  hold: async () => 1,
  release: async () => {},
  close: async () => {},
};

test('two processes that both believe to hold the account: the fence keeps every proof single', async (t) => {
  const site = await createAnchoringSite(t);
  const processes = [
    await site.start({ locks: imaginary }),
    await site.start({ locks: imaginary }),
  ];
  const ids = [];
  for (let round = 0; round < 10; round += 1) {
    const requested = await Promise.all([1, 2, 3, 4].map(() => site.request({ queued: true })));
    await Promise.all(requested.map((id) => site.until(id, ({ status }) => status !== 'pending')));
    ids.push(...requested);
    await site.ledger.close();
  }
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  const proofs = (await site.anchored()).filter(({ fileHash }) => fileHash !== null);
  t.equal(proofs.length, ids.length);
  t.equal(new Set(proofs.map(({ fileHash }) => fileHash)).size, ids.length);
  const taken = (await site.store.readLog(0, 1_000, ['SequencesTaken'])).flatMap((event) =>
    event.type === 'SequencesTaken' ? event.data.taken.map(({ sequence }) => sequence) : [],
  );
  t.equal(new Set(taken).size, taken.length, 'no Sequence was given out twice');
  const expired = await site.store.readLog(0, 1_000, ['AnchorExpired']);
  t.equal(expired.length, 0, 'no signature was in vain');
  for (const { errors } of processes) t.strictSame(errors.map(String), []);
});
