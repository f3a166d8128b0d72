import { test } from 'tap';
import { Wallet } from 'xrpl';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { createSeedSigner } from '../../../src/ledger/signer.ts';
import { Anchoring } from '../../../src/reactors/anchoring/anchoring.ts';
import type { WorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';

/** Locks as believed by a process that was frozen: it still holds all of them. */
const imaginary: WorkLocks = {
  hold: async () => 1,
  release: async () => {},
  close: async () => {},
};

test('when two processes believe they hold the account, the fence keeps every proof single', async (t) => {
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
  t.equal(new Set(taken).size, taken.length, 'no Sequence was taken twice');
  const expired = await site.store.readLog(0, 1_000, ['AnchorExpired']);
  t.equal(expired.length, 0, 'no signed transaction expired');
  for (const { errors } of processes) t.strictSame(errors.map(String), []);
});

test('a process that wakes up takes no Sequence already taken by its successor', async (t) => {
  const site = await createAnchoringSite(t);
  const { store, ledger } = site;
  const other = Wallet.generate();
  await site.fund([other.address]);
  const gateway = openGateway({ network: 'testnet', urls: [ledger.url], silenceMs: 60_000 });
  t.teardown(() => gateway.close());
  await site.closeUntil(() => gateway.current().connected);
  const holding = (...wallets: readonly Wallet[]) => {
    const signers = wallets.map(({ seed }) => createSeedSigner(seed ?? ''));
    const limits = { checkpointSigner: null, maxFeeDrops: 1_000, maxOutstanding: 500 };
    const anchoring = new Anchoring({ store, gateway, locks: imaginary, signers, ...limits });
    const observe = async () => {
      const events = await store.readLog(anchoring.fold.position, 1_000);
      anchoring.fold.observe(events, events.at(-1)?.position ?? anchoring.fold.position);
    };
    const step = async () => {
      await anchoring.settle();
      await anchoring.prepare();
    };
    return { observe, step };
  };
  const [sleeper, successor] = [holding(site.wallet, other), holding(site.wallet)];
  for (let round = 0; round < 3; round += 1) {
    for (const holder of [sleeper, successor]) await holder.observe().then(holder.step);
  }
  // From now on the sleeper signs the next proof with its other account, and the one after with
  // this account.
  const first = await site.request({ queued: true });
  for (const holder of [sleeper, successor]) await holder.observe().then(holder.step);
  const second = await site.request({ queued: true });
  await successor.observe();
  const third = await site.request({ queued: true });
  await sleeper.observe();

  await successor.step();
  await sleeper.step();
  const taken = (await store.readLog(0, 1_000, ['SequencesTaken'])).flatMap((event) =>
    event.type === 'SequencesTaken'
      ? event.data.taken.map(({ sequence }) => `${event.data.account} ${sequence}`)
      : [],
  );
  t.equal(new Set(taken).size, taken.length);
  t.ok(taken.length >= 2, 'the successor has signed');
  await site.closeUntil(async () => {
    for (const holder of [sleeper, successor]) await holder.observe().then(holder.step);
    const states = await Promise.all([first, second, third].map((id) => site.state(id)));
    return states.every(({ status }) => status === 'completed');
  });
  t.equal((await site.anchored([site.wallet.address, other.address])).length, 3);
});
