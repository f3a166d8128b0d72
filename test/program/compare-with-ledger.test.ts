import { type Test, test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { checkpointMemo } from '../../src/domain/log/checkpoint-memo.ts';
import { logDecider } from '../../src/domain/log/decider.ts';
import { logName, originOf } from '../../src/domain/log/origin.ts';
import type { LedgerGateway, SentTransaction } from '../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import { compareWithLedger } from '../../src/program/compare-with-ledger.ts';
import { LogUnconfirmed } from '../../src/transparency-log/guard/check.ts';
import { handleLog } from '../../src/transparency-log/handle-log.ts';
import {
  createMemoryEventStore,
  memoryLeaves,
} from '../reactors/anchoring/simulation/memory-event-store.ts';
import { testDeps } from '../support/event-store.ts';
import { randomHash } from '../support/scripted-anchoring.ts';
import { createScriptedGateway } from '../support/scripted-gateway.ts';
import { until } from '../support/until.ts';

/** A log, and a ledger that is away until `history` is set. */
async function site(t: Pick<Test, 'teardown'>) {
  const store = createMemoryEventStore();
  const logId = await openLog({ ...testDeps, store }, {});
  const draining = new AbortController();
  t.teardown(() => draining.abort());
  const failures: unknown[] = [];
  const troubles: unknown[] = [];
  const history: { current: readonly SentTransaction[] | null } = { current: null };
  const gateway: LedgerGateway = {
    ...createScriptedGateway('testnet'),
    account: async () => null,
    async sent() {
      if (history.current === null) throw new LedgerUnavailable('away');
      return { transactions: history.current, searchedFrom: 1, next: null };
    },
  };
  const accounts: { finding: 'agrees' | 'otherLedger' } = { finding: 'agrees' };
  const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const testnet = { gateway, account, compareAccounts: async () => accounts.finding };
  type Given = Parameters<typeof compareWithLedger>[0];
  const compare = (networks: Given['networks'] = [testnet], more: Pick<Given, 'patienceMs'> = {}) =>
    compareWithLedger({
      ...more,
      store,
      leaves: memoryLeaves(store),
      networks,
      draining: draining.signal,
      onAgrees() {},
      onTrouble: (error) => troubles.push(error),
      fail: (error) => failures.push(error),
    });
  const longer: SentTransaction = {
    hash: randomHash(),
    blob: '',
    ledgerIndex: 9,
    engineResult: 'tesSUCCESS',
    sequence: 1,
    feeDrops: 10,
    lastLedgerSequence: null,
    memos: [
      checkpointMemo({
        origin: originOf({ name: logName(logId), epoch: 1 }),
        size: 99,
        rootHash: 'ab'.repeat(32),
      }),
    ],
  };
  return { store, testnet, history, accounts, failures, troubles, compare, longer };
}

test('nothing is signed before a ledger answers, and a difference ends the program', async (t) => {
  const [good, bad] = [await site(t), await site(t)];
  const [agreeing, differing] = [await good.compare(), await bad.compare()];
  t.notOk(agreeing.agrees('testnet'));
  t.notOk(differing.agrees('testnet'));
  good.history.current = [];
  bad.history.current = [bad.longer];
  await agreeing.agreed;
  t.ok(agreeing.agrees('testnet'));
  await until('the program ends', async () => bad.failures.length > 0);
  t.ok(bad.failures[0] instanceof LogUnconfirmed);
  t.notOk(differing.agrees('testnet'));
  t.strictSame(good.failures, []);
  t.equal(good.troubles.length, 1, 'reported once');
});

test('on an unknown ledger the log is published, but nothing is signed', async (t) => {
  const { history, accounts, compare } = await site(t);
  history.current = [];
  accounts.finding = 'otherLedger';
  const comparison = await compare();
  await comparison.agreed;
  t.notOk(comparison.agrees('testnet'));
  accounts.finding = 'agrees';
  await until('log and ledger agree', async () => comparison.agrees('testnet'));
});

test('when the servers lack history, compares again until they have it', async (t) => {
  const { testnet, history, failures, troubles, compare } = await site(t);
  history.current = [];
  let isShort = true;
  const ends = { status: 'history-ends', network: 'testnet', searchedFrom: 9 } as const;
  const compareAccounts = async () => {
    if (isShort) throw new LogUnconfirmed({ ...ends, account: testnet.account });
    return 'agrees' as const;
  };
  const comparison = await compare([{ ...testnet, compareAccounts }]);
  t.match(troubles, [{ name: 'HistoryTooShort', message: /before ledger 9: add a server/ }]);
  t.notOk(comparison.agrees('testnet'));
  isShort = false;
  await comparison.agreed;
  t.ok(comparison.agrees('testnet'));
  t.strictSame(failures, []);
});

test('a network that is away, or shows another ledger, holds up no other one', async (t) => {
  const { testnet, history, accounts, troubles, compare } = await site(t);
  const gateway = { ...createScriptedGateway('mainnet'), account: async () => null };
  const mainnet = {
    gateway,
    account: testnet.account,
    compareAccounts: async () => 'agrees' as const,
  };
  const bothAt = (account: string | null) => [
    { ...mainnet, account },
    { ...testnet, account: null },
  ];
  const sent = async () => ({ transactions: [], searchedFrom: 1, next: null });
  const answering = bothAt(testnet.account).map((network) => ({
    ...network,
    gateway: { ...network.gateway, ...(network.gateway === gateway && { sent }) },
  }));
  const failing = answering.map((network) =>
    network.gateway.network === 'mainnet'
      ? network
      : { ...network, compareAccounts: () => Promise.reject(new LedgerUnavailable('away')) },
  );
  accounts.finding = 'otherLedger';
  history.current = [];
  for (const networks of [answering, failing]) {
    const comparison = await compare(networks);
    t.ok(comparison.agrees('mainnet'));
    t.notOk(comparison.agrees('testnet'));
    t.ok(comparison.mayPublish());
    await comparison.agreed;
  }
  t.equal(troubles.length, 1);

  let tries = 0;
  const waiting = answering.map((network) => ({
    ...network,
    compareAccounts: async () => {
      if (network.gateway.network === 'testnet') return new Promise<never>(() => {});
      tries += 1;
      if (tries === 1) throw new LedgerUnavailable('away');
      return 'agrees' as const;
    },
  }));
  const comparison = await compare(waiting, { patienceMs: 10 });
  t.notOk(comparison.agrees('mainnet'));
  await comparison.agreed;
  t.ok(comparison.agrees('mainnet'), 'while the other one is still compared');

  history.current = null;
  const holder = [{ ...answering[0], account: null }, testnet] as const;
  const held = await compare(holder as Parameters<typeof compare>[0]);
  t.notOk(held.agrees('mainnet'), 'its checkpoints may contradict the log');
  t.notOk(held.mayPublish());
});

test('when the ledger answers at once, a log that differs from it is refused at the start', async (t) => {
  const { store, history, compare, longer } = await site(t);
  history.current = [longer];
  await t.rejects(compare(), { name: 'LogDiffers' });
  const nothing = { published: null, anchored: null, reached: null, earlier: [] };
  const restored = { epoch: 2, keptSize: 1, keptRootHash: 'ab', ...nothing };
  await handleLog(store, (state) => logDecider.restore(state, restored), {});
  await t.rejects(compare(), {
    name: 'RestoreUnfinished',
    message: /^epoch 2 of the log was opened/,
  });
  await handleLog(store, (state) => logDecider.reconcile(state, { recovered: 0, lost: 0 }), {});
  t.ok((await compare()).agrees('testnet'));
});
