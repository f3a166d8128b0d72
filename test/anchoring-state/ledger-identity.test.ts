import { test } from 'tap';
import { confirmLedger, type KnownLedger } from '../../src/anchoring-state/ledger-identity.ts';
import { recogniseLedger } from '../../src/commands/recognise-ledger.ts';
import { retireAccount } from '../../src/commands/retire-account.ts';
import { rippleSeconds } from '../../src/embedded/standalone-ledger/codec/ripple-time.ts';
import type { LedgerServer, LedgerTip, ValidatedLedger } from '../../src/ledger/contract.ts';
import { createAnchoringSite } from '../support/anchoring-site.ts';
import { startAnnouncingRelay } from '../support/announcing-relay.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { until } from '../support/until.ts';

const known: KnownLedger = {
  ledgerId: '1-A',
  tip: { index: 1_000, hash: 'A', closeTime: 50_000 },
};
const tipAt = (index: number, closeTime: number): LedgerTip => ({ index, hash: 'T', closeTime });

/**
 * Servers that show these hashes at the known index. A null hash means that the ledger is missing.
 */
function showing(network: 'mainnet' | 'testnet', ...hashes: readonly (string | null)[]) {
  const ledgers = async () =>
    hashes.map((hash, at) => ({
      server: `wss://${at}`,
      ledger: hash === null ? null : ({ hash } as ValidatedLedger),
    }));
  const shown = async (tip: LedgerTip): Promise<LedgerTip | null> => tip;
  return { network, ledgers, shown, servers: () => reporting() };
}

/** Servers that report these tips; null for a server that is not connected. */
function reporting(...tips: readonly (LedgerTip | null)[]): LedgerServer[] {
  const none = { reason: null, amendmentBlocked: false, unsupportedMajority: null };
  return tips.map((tip, at) => ({ ...none, name: `wss://${at}`, state: 'ready', tip }));
}

test('waits for a server that is behind, however far', async (t) => {
  for (const index of [999, 950, 100, 1]) {
    t.equal(await confirmLedger(showing('mainnet'), known, tipAt(index, 49_999)), false);
  }
  const noted = { ...known, tip: { index: 1_000, hash: 'A', closeTime: null } };
  t.equal(await confirmLedger(showing('testnet'), noted, tipAt(10, 60_000)), false);
});

test('recognises another ledger by its hash, or by a lower index that closed later', async (t) => {
  const other = { name: 'OtherLedger' };
  const later = tipAt(2_000, 60_000);
  await t.rejects(confirmLedger(showing('testnet', 'A', 'B'), known, later), other);
  await t.rejects(confirmLedger(showing('testnet'), known, tipAt(999, 50_001)), other);
  t.equal(await confirmLedger(showing('testnet', 'A', null), known, later), true);
});

test('names the servers that show another ledger, and only these', async (t) => {
  const testnet = showing('testnet', 'A', 'B', null, 'C');
  const byHash = {
    message: /another one is shown by wss:\/\/1, wss:\/\/3: the hash at index 1000 /,
  };
  await t.rejects(confirmLedger(testnet, known, tipAt(2_000, 60_000)), byHash);
  const later = tipAt(999, 50_001);
  const servers = () =>
    reporting(null, tipAt(998, 50_000), later, tipAt(1_001, 60_000), tipAt(1_000, 60_000));
  const byTime = { message: /another one is shown by wss:\/\/2: ledger 999 of it has a later / };
  await t.rejects(confirmLedger({ ...testnet, servers }, known, later), byTime);
  const twice = { ...testnet, ledgers: async () => Array(2).fill((await testnet.ledgers())[1]) };
  const once = { message: /is shown by wss:\/\/1: / };
  await t.rejects(confirmLedger(twice, known, tipAt(2_000, 60_000)), once);
  const lost = { ...testnet, servers: () => reporting(null) };
  await t.rejects(confirmLedger(lost, known, later), {
    message: /by a server of testnet: ledger 999 /,
  });
});

test('a lower index is another ledger only if a server shows that it closed later', async (t) => {
  const reported = tipAt(999, 50_001);
  for (const shown of [null, tipAt(999, 49_996)]) {
    const gateway = { ...showing('testnet'), shown: async () => shown };
    t.equal(await confirmLedger(gateway, known, reported), false);
  }
});

test('a lower index that closed later is no other ledger on mainnet, which is never reset', async (t) => {
  t.equal(await confirmLedger(showing('mainnet'), known, tipAt(999, 50_001)), false);
});

test('if no server has the known index, mainnet is accepted and testnet is refused', async (t) => {
  const later = tipAt(2_000, 60_000);
  const unrecognised = { name: 'UnrecognisedLedger', message: /ops ledger settle --same/ };
  await t.rejects(confirmLedger(showing('testnet', null, null), known, later), unrecognised);
  t.equal(await confirmLedger(showing('mainnet', null, null), known, later), true);
});

test('when history after the known ledger is lost, anchoring resumes once an operator confirms', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await site.settle([await site.request()]);
  await first.stop();
  for (let count = 0; count < 5; count += 1) await site.ledger.close();
  site.ledger.faults.forgetLedgers(1, (await site.ledger.close()).ledgerIndex - 1);
  const second = await site.start();
  const proofId = await site.request({ queued: true });
  await until(
    'the process reports an unrecognised ledger',
    async () => second.running.paused() === 'unrecognised',
  );
  t.equal((await site.state(proofId)).status, 'pending');

  const [joined] = await site.store.readLog(0, 1, ['LedgerJoined']);
  if (joined?.type !== 'LedgerJoined') throw new Error('no ledger was joined');
  const { result } = await site.stranger.request({ command: 'ledger', ledger_index: 'validated' });
  const { ledger_index: index, ledger_hash: hash, ledger } = result;
  const tip = { index, hash, closeTime: Number(ledger.close_time) };
  await recogniseLedger(site.store, { ledgerId: joined.data.ledgerId, ...tip }, {});
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
});

test('remembers ledgers seen while idle after a restart', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await site.settle([await site.request()]);
  const { ledgerIndex } = await site.ledger.close();
  await until('the ledger is seen', async () => first.running.seen() >= ledgerIndex);
  await first.stop();
  site.ledger.faults.forgetLedgers(1, ledgerIndex - 1);
  await site.start();
  const [state] = await site.settle([await site.request()]);
  t.equal(state?.status, 'completed');
});

test('a process without a usable ledger leaves the accounts to one that has a ledger', async (t) => {
  const site = await createAnchoringSite(t);
  let isCutOff = false;
  const gone = { connected: false, reason: 'cut off' } as const;
  await site.start({
    gateway: (real) => ({ ...real, current: () => (isCutOff ? gone : real.current()) }),
  });
  await site.settle([await site.request()]);
  isCutOff = true;
  const startedAt = performance.now();
  await site.start();
  const [state] = await site.settle([await site.request({ queued: true })]);
  t.equal(state?.status, 'completed');
  t.ok(performance.now() - startedAt < (await onThisMachine(10_000)), 'within 10 s');
});

test('a process whose server reports an invented ledger leaves the accounts to one that knows better', async (t) => {
  const site = await createAnchoringSite(t);
  const relay = await startAnnouncingRelay(t, site.ledger.url);
  const first = await site.start({ url: relay.url });
  await site.settle([await site.request()]);
  const { ledgerIndex } = await site.ledger.close();
  await until('the ledger is seen', async () => first.running.seen() === ledgerIndex);
  relay.lag(ledgerIndex);
  relay.announce(ledgerIndex + 1_000_000, 0);
  await until('it is not used', async () => first.running.paused() === 'ledgerBehind');
  await site.start();
  const [state] = await site.settle([await site.request({ queued: true })]);
  t.equal(state?.status, 'completed');
  t.equal(first.running.paused(), 'ledgerBehind');
});

test('does not sign with an account retired while its state is being read', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await until('the ledger is joined', async () => first.running.ledgerId() !== null);
  const ledgerId = first.running.ledgerId() ?? '';
  await first.stop();
  const proofId = await site.request({ queued: true });
  let retired = false;
  const second = await site.start({
    gateway: (real) => ({
      ...real,
      async account(address, minLedger) {
        if (!retired) {
          retired = true;
          await retireAccount(site.store, { ledgerId, account: address }, {});
          const position = await site.store.head();
          await until(
            'the retirement is folded',
            async () => second.running.position() >= position,
          );
        }
        return real.account(address, minLedger);
      },
    }),
  });
  await site.closeUntil(() => second.running.paused() === 'noAccount');
  t.equal((await site.state(proofId)).status, 'pending');
  t.strictSame(await site.store.readLog(0, 1, ['SequencesTaken']), []);
});

for (const { far, closeTime } of [
  { far: 1_000_000, closeTime: 0 },
  { far: 1_000_000, closeTime: 2_000_000_000 },
  { far: 20, closeTime: 2_000_000_000 },
]) {
  test(`an invented ledger ${far} ahead, closed at ${closeTime}, is not remembered`, async (t) => {
    const site = await createAnchoringSite(t);
    const relay = await startAnnouncingRelay(t, site.ledger.url);
    let asked = 0;
    const submitted = new Set<string>();
    const first = await site.start({
      url: relay.url,
      gateway: (real) => ({
        ...real,
        async shown(tip) {
          const shown = await real.shown(tip);
          if (shown === null) asked += 1;
          return shown;
        },
        async submit(blob, earlier) {
          const answer = await real.submit(blob, earlier);
          submitted.add(blob);
          return answer;
        },
      }),
    });
    await site.settle([await site.request()]);
    const { ledgerIndex } = await site.ledger.close();
    await until('the ledger is seen', async () => first.running.seen() === ledgerIndex);
    relay.announce(ledgerIndex + far, closeTime);
    await until('the invented ledger was asked for', async () => asked > 1);
    t.equal(first.running.seen(), ledgerIndex);
    if (far > 100) {
      const proofId = await site.request({ queued: true });
      const before = asked;
      await until('the request could be signed for', async () => asked > before + 2);
      t.equal(first.running.paused(), 'ledgerBehind');
      t.equal((await site.state(proofId)).status, 'pending', 'nothing is signed');
    }
    const inBetween = await site.request();
    // One that is near enough is signed for, and submitted, before the server tells the truth.
    if (far < 100) await until('it is submitted', async () => submitted.size > 1);
    const [state] = await site.settle([inBetween]);
    t.equal(state?.status, 'completed', 'the server tells the truth again');
    t.strictSame(first.otherLedgers, []);
    await first.stop();
    const second = await site.start();
    const [after] = await site.settle([await site.request()]);
    t.equal(after?.status, 'completed', 'after a restart');
    t.strictSame(second.otherLedgers, []);
  });
}

test('a server that forges a ledger beside an honest one loses no proof', async (t) => {
  const site = await createAnchoringSite(t, { buildVersion: '2.3.0' });
  const relay = await startAnnouncingRelay(t, site.ledger.url);
  const { running, otherLedgers } = await site.start({ url: [site.ledger.url, relay.url] });
  await site.settle([await site.request()]);
  const { ledgerIndex } = await site.ledger.close();
  await until('the ledger is seen', async () => running.seen() === ledgerIndex);
  relay.forge(ledgerIndex + 20, rippleSeconds(Date.now()));
  const proofs = [await site.request(), await site.request()];
  await site.until(proofs[0] as (typeof proofs)[0], ({ status }) => status === 'processing');
  t.ok(running.seen() < ledgerIndex + 20, 'it is not saved');
  const states = await site.settle(proofs);
  t.strictSame(
    states.map(({ status }) => status),
    ['completed', 'completed'],
  );
  t.equal((await site.anchored()).length, 3, 'no proof is anchored twice');
  t.strictSame(otherLedgers, []);
});
