import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import { retireAccount } from '../../../src/commands/retire-account.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { createSeedSigner } from '../../../src/ledger/signer.ts';
import { startAlteringRelay } from '../../support/altering-relay.ts';
import { type AnchoringSite, createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

const operator = { actor: 'operator' } as const;

/**
 * Submits a transaction of the account's owner under the master key and closes a ledger. Takes another
 * Sequence if the service was faster with this one.
 */
async function applyAs(site: AnchoringSite, owner: Wallet, transaction: object): Promise<void> {
  await until('the transaction is applied', async () => {
    const wanted = { ...transaction, Account: owner.address };
    const filled = await site.stranger.autofill(wanted as never);
    const { tx_blob } = owner.sign(filled);
    const { result } = await site.stranger.request({ command: 'submit', tx_blob });
    if (result.engine_result === 'tefPAST_SEQ') return false;
    if (result.engine_result !== 'tesSUCCESS') throw new Error(result.engine_result);
    return true;
  });
  await site.ledger.close();
}

async function ledgerIdOf(site: AnchoringSite): Promise<string> {
  const [joined] = await site.store.readLog(0, 1, ['LedgerJoined']);
  if (joined?.type !== 'LedgerJoined') throw new Error('no ledger was joined');
  return joined.data.ledgerId;
}

test('a regular key signs for an account with a disabled master key, and can be changed', async (t) => {
  const site = await createAnchoringSite(t);
  const [daily, next] = [Wallet.generate(), Wallet.generate()];
  const { address } = site.wallet;
  const signerOf = ({ seed }: Wallet) => createSeedSigner(seed ?? '', address);

  const process = await site.start({ signers: [signerOf(daily)] });
  const proofId = await site.request({ queued: true });
  await site.closeUntil(() => process.running.paused() === 'keyNotAuthorised');
  t.equal(
    (await site.state(proofId)).status,
    'pending',
    'nothing is signed with a key that the ledger refuses',
  );

  await applyAs(site, site.wallet, { TransactionType: 'SetRegularKey', RegularKey: daily.address });
  await applyAs(site, site.wallet, { TransactionType: 'AccountSet', SetFlag: 4 });
  const [completed] = await site.settle([proofId]);
  t.equal(completed?.status, 'completed', 'the ledger now accepts the key');
  t.equal(process.running.paused(), null);
  await process.stop();

  const master = await site.start();
  const second = await site.request();
  await site.closeUntil(() => master.running.paused() === 'keyNotAuthorised');
  await master.stop();

  const change = { TransactionType: 'SetRegularKey', RegularKey: next.address, Account: address };
  const filled = await site.stranger.autofill(change as never);
  const { tx_blob } = daily.sign(filled);
  t.match(await site.stranger.request({ command: 'submit', tx_blob }), {
    result: { engine_result: 'tesSUCCESS' },
  });
  await site.start({ signers: [signerOf(next)] });
  const [after] = await site.settle([second]);
  t.equal(after?.status, 'completed');
});

test('when the ledger stops accepting the key in use, no proof is lost', async (t) => {
  const site = await createAnchoringSite(t);
  const daily = Wallet.generate();
  const signer = createSeedSigner(daily.seed ?? '', site.wallet.address);
  await applyAs(site, site.wallet, { TransactionType: 'SetRegularKey', RegularKey: daily.address });
  const process = await site.start({ signers: [signer] });
  await site.settle([await site.request()]);

  await applyAs(site, site.wallet, { TransactionType: 'SetRegularKey' });
  const proofId = await site.request({ queued: true });
  await site.closeUntil(() => process.running.paused() === 'keyNotAuthorised');
  t.equal((await site.state(proofId)).status, 'pending');
  await process.stop();
  await site.start();
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
});

test('a retired account completes transactions under way and signs nothing more', async (t) => {
  const site = await createAnchoringSite(t);
  const heir = Wallet.generate();
  await site.fund([heir.address]);
  const process = await site.start({ wallets: [site.wallet] });
  const warmUp = await site.request();
  await site.settle([warmUp]);
  const underWay = await site.request({ queued: true });
  await site.until(underWay, ({ status }) => status === 'processing');

  const retirement = { ledgerId: await ledgerIdOf(site), account: site.wallet.address };
  await retireAccount(site.store, retirement, operator);
  const waiting = await site.request({ queued: true });
  const [settled] = await site.settle([underWay]);
  t.equal(settled?.status, 'completed');
  await site.closeUntil(() => process.running.paused() === 'noAccount');
  t.equal((await site.state(waiting)).status, 'pending');
  await process.stop();

  await site.start({ wallets: [site.wallet, heir] });
  const more = await Promise.all(Array.from({ length: 5 }, () => site.request({ queued: true })));
  const states = await site.settle([waiting, ...more]);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, 2, 'only proofs from before its retirement');
  t.equal((await site.anchored([heir.address])).length, 6);
});

test('an account removed from the configuration is settled and no longer used', async (t) => {
  const site = await createAnchoringSite(t);
  const heir = Wallet.generate();
  await site.fund([heir.address]);
  const before = await site.start();
  const underWay = await site.request();
  await site.until(underWay, ({ status }) => status === 'processing');
  await before.stop();
  await site.start({ wallets: [heir] });
  const states = await site.settle([underWay, await site.request()]);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal((await site.anchored()).length, 1);
  t.equal((await site.anchored([heir.address])).length, 1);
});

test('one wrong Sequence of a server, far too high, does not fill a million gaps', async (t) => {
  const site = await createAnchoringSite(t);
  let isLying = true;
  const doubted: number[] = [];
  const { errors } = await site.start({
    gateway: (real) => ({
      ...real,
      async account(address, minLedger, times = 0) {
        doubted.push(times);
        const account = await real.account(address, minLedger, times);
        if (!isLying || account === null) return account;
        return { ...account, sequence: account.sequence + 1_000_000 };
      },
    }),
  });
  const first = await site.request({ queued: true });
  await site.until(first, ({ status }) => status === 'processing');
  isLying = false;
  for (let count = 0; count < 4; count += 1) await site.ledger.close();
  const second = await site.request({ queued: true });
  await site.until(second, ({ status }) => status === 'processing');
  const states = await site.settle([first, second]);
  t.ok(states.every(({ status }) => status === 'completed'));
  const filled = await site.store.readLog(0, 10_000, ['GapFillPrepared']);
  t.ok(filled.length < 1_000, `${filled.length} gap fills`);
  t.match(errors, [{ message: /outstanding Sequence .* nothing is signed with this account/ }]);
  t.ok(doubted.includes(1), 'another server is asked');
});

/** A server that states such accounts, and two honest ones that get each ledger a moment later. */
async function serversBehindLiar(
  t: Test,
  site: AnchoringSite,
  lie: (account: { Sequence: number }) => object,
): Promise<readonly string[]> {
  const alter = (command: string, result: Record<string, unknown>) => {
    const { account_data: account } = result;
    if (command !== 'account_info' || account === undefined) return result;
    return { ...result, account_data: { ...account, ...lie(account as never) } };
  };
  const liar = await startAlteringRelay(t, site.ledger.url, { alter });
  const honest = () => startAlteringRelay(t, site.ledger.url, { lateMs: 50 });
  return [liar, await honest(), await honest()];
}

const steadyLies = {
  'a Sequence that is far too high': ({ Sequence }) => ({ Sequence: Sequence + 1_000_000 }),
  'a Sequence that was used before': ({ Sequence }) => ({ Sequence: Sequence - 40 }),
  'a balance of nothing': () => ({ Balance: '0' }),
  'a disabled master key': () => ({ Flags: 0x00100000 }),
} as const satisfies Record<string, (account: { Sequence: number }) => object>;

for (const [statement, lie] of Object.entries(steadyLies)) {
  test(`a preferred server that always states ${statement} does not stop its account`, async (t) => {
    const site = await createAnchoringSite(t);
    // Used Sequences, and a process that does not know of them.
    const before = await site.start();
    await site.settle(await Promise.all(Array.from({ length: 40 }, () => site.request())));
    const head = await site.store.head();
    await site.closeUntil(() => before.running.position() >= head);
    await before.stop();

    const url = await serversBehindLiar(t, site, lie);
    await site.start({ url });
    const proofs = [await site.request({ queued: true })];
    let closes = 0;
    const isCompleted = async (proofId: ProofId) =>
      (await site.state(proofId)).status === 'completed';
    await site.closeUntil(async () => {
      closes += 1;
      if (closes > 60) throw new Error('the account is stopped');
      // New proofs come all the time: some are always signed with the wrong state.
      if (closes % 3 === 0 && closes < 20) proofs.push(await site.request({ queued: true }));
      return closes > 20 && (await Promise.all(proofs.map(isCompleted))).every(Boolean);
    });
    t.ok(closes < 60, `${closes} ledgers`);
    closes = 0;
    const later = await site.request({ queued: true });
    await site.closeUntil(async () => {
      closes += 1;
      return isCompleted(later);
    });
    t.ok(closes < 8, `later proofs are anchored at once: ${closes} ledgers`);
    const hashes = await site.anchored();
    t.equal(hashes.filter(({ fileHash }) => fileHash !== null).length, 40 + proofs.length + 1);
  });
}
