import { type Test, test } from 'tap';
import { decideOnLog } from '../../../src/commands/decide-on-log.ts';
import { openLog } from '../../../src/commands/open-log.ts';
import { checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import { reconcileLog, restoreLog } from '../../../src/domain/log/decide.ts';
import { originOf } from '../../../src/domain/log/origin.ts';
import type { LedgerGateway, SentTransaction } from '../../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import {
  compareWithLedger,
  RestoreUnfinished,
} from '../../../src/transparency-log/guard/compare-with-ledger.ts';
import { LogDiffers } from '../../../src/transparency-log/guard/log-differs.ts';
import {
  createMemoryEventStore,
  memoryLeaves,
} from '../../reactors/anchoring/simulation/memory-event-store.ts';
import { testDeps } from '../../support/event-store.ts';
import { randomHash } from '../../support/scripted-anchoring.ts';
import { createScriptedGateway } from '../../support/scripted-gateway.ts';
import { until } from '../../support/until.ts';

/** A log, and a ledger that is away until it is told what it has. */
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
  const compare = () =>
    compareWithLedger({
      store,
      leaves: memoryLeaves(store),
      networks: [{ gateway, account, compareAccounts: async () => accounts.finding }],
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
    memos: [checkpointMemo({ origin: originOf(logId, 1), size: 99, rootHash: 'ab'.repeat(32) })],
  };
  return { store, history, accounts, failures, troubles, compare, longer };
}

test('until a ledger answers nothing may be signed; then the log agrees, or the program ends', async (t) => {
  const [good, bad] = [await site(t), await site(t)];
  const [agreeing, differing] = [await good.compare(), await bad.compare()];
  t.notOk(agreeing.agrees());
  t.notOk(differing.agrees());
  good.history.current = [];
  bad.history.current = [bad.longer];
  await agreeing.agreed;
  t.ok(agreeing.agrees());
  await until('the program ends', async () => bad.failures.length > 0);
  t.ok(bad.failures[0] instanceof LogDiffers);
  t.notOk(differing.agrees());
  t.strictSame(good.failures, []);
  t.equal(good.troubles.length, 1, 'told once');
});

test('on another ledger than the known one nothing is signed, and the log is published', async (t) => {
  const { history, accounts, compare } = await site(t);
  history.current = [];
  accounts.finding = 'otherLedger';
  const comparison = await compare();
  await comparison.agreed;
  t.notOk(comparison.agrees());
  accounts.finding = 'agrees';
  await until('it is settled', async () => comparison.agrees());
});

test('where a ledger answers at once, nothing is served before the log agrees with it', async (t) => {
  const { store, history, compare, longer } = await site(t);
  history.current = [longer];
  await t.rejects(compare(), LogDiffers);
  const nothing = { published: null, anchored: null, reached: null };
  const restored = { epoch: 2, keptSize: 1, keptRootHash: 'ab', ...nothing };
  await decideOnLog(store, (state) => restoreLog(state, restored), {});
  await t.rejects(compare(), RestoreUnfinished);
  await decideOnLog(store, (state) => reconcileLog(state, { recovered: 0, lost: 0 }), {});
  t.ok((await compare()).agrees());
});
