import { test } from 'tap';
import { Wallet } from 'xrpl';
import type { Signer } from '../../../src/ledger/signer.ts';
import { SignerUnavailable } from '../../../src/ledger/signer-unavailable.ts';
import { createAnchoringSite, masterKeyOf } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

/** A signer that fails while it is away, and signs only when it is let while it is held. */
function unsteady(wallet: Wallet) {
  const key = masterKeyOf(wallet);
  const state = { isAway: false, asked: 0 };
  let held: PromiseWithResolvers<void> | null = null;
  let heldSince = 0;
  const signer: Signer = {
    ...key,
    async sign(messages) {
      state.asked += 1;
      if (state.isAway) throw new SignerUnavailable('away');
      await held?.promise;
      return key.sign(messages);
    },
  };
  return {
    signer,
    state,
    hold: () => {
      held = Promise.withResolvers();
      heldSince = performance.now();
    },
    heldMs: () => performance.now() - heldSince,
    /** Its requests fail, as after the time that a signer has. */
    giveUp: () => held?.reject(new SignerUnavailable('no answer')),
    letGo: () => {
      held?.resolve();
      held = null;
    },
  };
}

test('while one account cannot sign, another signs for all proofs', async (t) => {
  const site = await createAnchoringSite(t);
  const wallets = [Wallet.generate(), Wallet.generate()] as const;
  await site.fund(wallets.map(({ address }) => address));
  const [away, well] = [unsteady(wallets[0]), unsteady(wallets[1])];
  away.state.isAway = true;
  const { running, errors } = await site.start({ signers: [away.signer, well.signer] });
  const ids = await Promise.all(Array.from({ length: 6 }, () => site.request({ queued: true })));
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.ok(away.state.asked > 0);
  t.equal((await site.anchored([wallets[1].address])).length, ids.length);
  t.strictSame([running.paused(), errors], [null, []]);

  well.state.isAway = true;
  const last = await site.request({ queued: true });
  await site.closeUntil(() => running.paused() === 'signerUnavailable');
  away.state.isAway = false;
  const [settled] = await site.settle([last]);
  t.match(settled, { status: 'completed' });
  t.equal(running.paused(), null);
});

test('a signer that hangs holds the others up once, and not at each ledger', async (t) => {
  const site = await createAnchoringSite(t);
  const wallets = [Wallet.generate(), Wallet.generate()] as const;
  await site.fund(wallets.map(({ address }) => address));
  const [hanging, well] = [unsteady(wallets[0]), unsteady(wallets[1])];
  const { errors } = await site.start({ signers: [hanging.signer, well.signer] });
  await site.settle([await site.request({ queued: true })]);
  hanging.hold();
  const before = hanging.state.asked;
  const ids = [await site.request({ queued: true }), await site.request({ queued: true })];
  await until('it was asked', async () => hanging.state.asked > before);
  // Its requests end after seconds in operation.
  await site.closeUntil(() => hanging.heldMs() > 300);
  hanging.giveUp();
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal(hanging.state.asked, before + 1, 'it is not asked again within three seconds');
  t.strictSame(errors, []);
});

test('no Sequence is taken twice while one account fails and another is slow', async (t) => {
  const site = await createAnchoringSite(t);
  const wallets = [Wallet.generate(), Wallet.generate()] as const;
  await site.fund(wallets.map(({ address }) => address));
  const [failing, slow] = [unsteady(wallets[0]), unsteady(wallets[1])];
  const { errors } = await site.start({ signers: [failing.signer, slow.signer] });
  await site.settle([await site.request({ queued: true })]);
  failing.state.isAway = true;
  slow.hold();
  const before = slow.state.asked;
  const ids = [await site.request({ queued: true }), await site.request({ queued: true })];
  await until('both were asked', async () => slow.state.asked > before && failing.state.asked > 0);
  for (let ledgers = 0; ledgers < 3; ledgers += 1) await site.ledger.close();
  ids.push(await site.request({ queued: true }));
  slow.letGo();
  failing.state.isAway = false;
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  const taken = (await site.store.readLog(0, 1_000, ['SequencesTaken'])).flatMap((event) =>
    event.type === 'SequencesTaken'
      ? event.data.taken.map(({ sequence }) => `${event.data.account} ${sequence}`)
      : [],
  );
  t.equal(new Set(taken).size, taken.length, taken.join(', '));
  t.strictSame(errors, []);
});
