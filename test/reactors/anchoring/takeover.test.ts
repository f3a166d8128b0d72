import { firstValueFrom, timer } from 'rxjs';
import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { createSeedSigner, type Signer } from '../../../src/ledger/signer.ts';
import { AccountHold } from '../../../src/reactors/anchoring/account-hold.ts';
import { Anchoring, type AnchoringDeps } from '../../../src/reactors/anchoring/anchoring.ts';
import type { WorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { type AnchoringSite, createAnchoringSite } from '../../support/anchoring-site.ts';

/** Locks controlled by the test: one process holds each account's lock. */
class Locks {
  readonly holders = new Map<string, string>();

  of(process: string): WorkLocks {
    const holder = (name: string) =>
      [...this.holders].find(([address]) => name.includes(address))?.[1] ?? process;
    return {
      hold: async (name) => (holder(name) === process ? 1 : null),
      release: async () => {},
      close: async () => {},
    };
  }
}

/** One process, driven step by step. */
function driven(
  site: AnchoringSite,
  gateway: LedgerGateway,
  locks: WorkLocks,
  wallets: Wallet[],
  own: Partial<AnchoringDeps> = {},
) {
  const signers = wallets.map(({ seed }) => createSeedSigner(seed ?? ''));
  const limits = { checkpointSigner: null, maxFeeDrops: 1_000, maxOutstanding: 500 };
  const anchoring = new Anchoring({
    store: site.store,
    gateway,
    locks,
    signers,
    ...limits,
    ...own,
  });
  return async () => {
    const head = await site.store.head();
    const events = await site.store.readLog(anchoring.fold.position, 10_000);
    anchoring.fold.observe(events, Math.max(head, events.at(-1)?.position ?? 0));
    await anchoring.settle();
    await anchoring.prepare();
  };
}

async function connect(t: Test, site: AnchoringSite): Promise<LedgerGateway> {
  const gateway = openGateway({ network: 'testnet', urls: [site.ledger.url], silenceMs: 60_000 });
  t.teardown(() => gateway.close());
  await site.closeUntil(() => gateway.current().connected);
  return gateway;
}

/** Closes a ledger and waits until the gateway has seen it. */
async function close(site: AnchoringSite, gateway: LedgerGateway): Promise<void> {
  const { ledgerIndex } = await site.ledger.close();
  for (;;) {
    const status = gateway.current();
    if (status.connected && status.tip.index >= ledgerIndex) return;
    await firstValueFrom(timer(5));
  }
}

test('after a takeover the ledgers are read again for transactions of the previous holder', async (t) => {
  const site = await createAnchoringSite(t);
  const second = Wallet.generate();
  await site.fund([second.address]);
  const gateway = await connect(t, site);
  const locks = new Locks();
  locks.holders.set(site.wallet.address, 'one').set(second.address, 'two');
  const wallets = [site.wallet, second];
  let lossy = true;
  const lossyGateway: LedgerGateway = {
    ...gateway,
    submit: (blob) =>
      lossy ? Promise.reject(new LedgerUnavailable('lost')) : gateway.submit(blob),
  };
  const one = driven(site, lossyGateway, locks.of('one'), wallets);
  const two = driven(site, gateway, locks.of('two'), wallets);
  for (let round = 0; round < 3; round += 1) {
    await one();
    await two();
  }

  // The first process watches the ledgers for a transaction of its own account.
  const waiting = await site.request({ queued: true });
  await one();
  await close(site, gateway);
  await one();
  await two();
  // The second process signs from its account and dies. The ledger validates the transaction.
  const orphan = await site.request({ queued: true });
  await two();
  const signed = await site.state(orphan);
  t.equal(signed.status === 'processing' && signed.prepared.account, second.address);
  await firstValueFrom(timer(100));
  await close(site, gateway);
  await one();
  locks.holders.set(second.address, 'one');

  lossy = false;
  for (let round = 0; round < 20; round += 1) {
    await one();
    await close(site, gateway);
  }
  const [a, b] = [await site.state(waiting), await site.state(orphan)];
  t.equal(a.status, 'completed');
  t.equal(b.status, 'completed');
  const commitment = b.status === 'completed' ? b.request.commitment : null;
  const proofs = await site.anchored([site.wallet.address, second.address]);
  t.equal(proofs.filter(({ fileHash }) => fileHash === commitment).length, 1, 'anchored once');
});

test('what was signed under a lost lock is submitted only after the log was compared again', async (t) => {
  const site = await createAnchoringSite(t);
  const real = await connect(t, site);
  let submitted = 0;
  const gateway: LedgerGateway = {
    ...real,
    submit: (blob) => {
      submitted += 1;
      return real.submit(blob);
    },
  };
  // The database fails over while the account's key signs.
  let lock = 1;
  let isOther = false;
  const locks = { ...new Locks().of('one'), hold: async () => lock };
  const signer = createSeedSigner(site.wallet.seed ?? '');
  const failingOver: Signer = {
    ...signer,
    async sign(messages) {
      lock += 1;
      isOther = true;
      return signer.sign(messages);
    },
  };
  const compare = async () => {
    if (isOther) throw new Error('the log lacks what was submitted');
  };
  const step = driven(site, gateway, locks, [], { signers: [failingOver], compare });
  for (let round = 0; round < 3; round += 1) await step();
  const proofId = await site.request({ queued: true });
  await step();
  t.equal((await site.state(proofId)).status, 'processing');
  for (let round = 0; round < 3; round += 1) {
    await close(site, real);
    await t.rejects(step(), /lacks what was submitted/);
  }
  t.equal(submitted, 0);
  isOther = false;
  for (let round = 0; round < 4; round += 1) {
    await close(site, real);
    await step();
  }
  t.equal((await site.state(proofId)).status, 'completed');
});

test('nothing is submitted again under a lock that was lost while ledgers were read', async (t) => {
  const site = await createAnchoringSite(t);
  const real = await connect(t, site);
  let submitted = 0;
  let isLost = false;
  const gateway: LedgerGateway = {
    ...real,
    submit: async () => {
      submitted += 1;
      throw new Error('the answer is lost');
    },
    ledger: (index) => {
      if (isReading) isLost = true;
      return real.ledger(index);
    },
  };
  let isReading = false;
  const locks = { ...new Locks().of('one'), hold: async () => (isLost ? 2 : 1) };
  const compare = async () => {
    if (isLost) throw new Error('the log lacks what was submitted');
  };
  const step = driven(site, gateway, locks, [site.wallet], { compare });
  for (let round = 0; round < 3; round += 1) await step();
  await site.request({ queued: true });
  await step();
  await close(site, real);
  await step();
  t.equal(submitted, 2, 'submitted again after a ledger');
  isReading = true;
  await close(site, real);
  await t.rejects(step(), /lacks what was submitted/);
  t.equal(isLost, true);
  t.equal(submitted, 2);
});

test('an account that is released while its key signs is not locked again', async (t) => {
  const held = new Set<string>();
  const locks: WorkLocks = {
    hold: async (name) => held.add(name).size,
    release: async (name) => void held.delete(name),
    close: async () => {},
  };
  const hold = new AccountHold('rAccount', 'testnet:1', null);
  await hold.take(locks);
  hold.comparing()();
  const sign = async () => {
    await hold.release(locks);
    return ['signed'];
  };
  t.strictSame(await hold.signInTurn(locks, 1, sign, t.fail), []);
  t.equal(held.size, 0, 'another process can have the lock');
});

test('a ledger missing for a while is read when it returns', async (t) => {
  const site = await createAnchoringSite(t);
  const gateway = await connect(t, site);
  let missing = true;
  const forgetful: LedgerGateway = {
    ...gateway,
    ledger: async (index) => (missing ? null : gateway.ledger(index)),
    // The server has seen the blob, so its look-up answer decides nothing.
    lookUp: async () => ({ found: 'unvalidated' }),
  };
  const step = driven(site, forgetful, new Locks().of('one'), [site.wallet]);
  for (let round = 0; round < 3; round += 1) await step();
  const proofId = await site.request();
  await step();
  for (let round = 0; round < 15; round += 1) {
    await close(site, gateway);
    await step();
  }
  t.equal((await site.state(proofId)).status, 'processing', 'the outcome is still unknown');
  missing = false;
  await close(site, gateway);
  await step();
  t.equal((await site.state(proofId)).status, 'completed');
});

test('a transaction whose fate is unknown does not stop signing while fees are high', async (t) => {
  const site = await createAnchoringSite(t);
  const second = Wallet.generate();
  await site.fund([second.address]);
  const gateway = await connect(t, site);
  let isHigh = false;
  const forgetful: LedgerGateway = {
    ...gateway,
    current() {
      const status = gateway.current();
      return isHigh && status.connected ? { ...status, openLedgerFeeDrops: 5_000 } : status;
    },
    ledger: async () => null,
    lookUp: async () => ({ found: 'unvalidated' }),
  };
  const step = driven(site, forgetful, new Locks().of('one'), [site.wallet, second]);
  for (let round = 0; round < 3; round += 1) await step();
  const unknown = await site.request();
  await step();
  for (let round = 0; round < 15; round += 1) {
    await close(site, gateway);
    await step();
  }
  isHigh = true;
  const later = await site.request({ queued: true });
  for (let round = 0; round < 3; round += 1) await step();
  t.equal((await site.state(unknown)).status, 'processing', 'past its last ledger');
  t.equal((await site.state(later)).status, 'processing', 'signed at the highest permitted fee');
});
