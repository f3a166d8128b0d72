import { test } from 'tap';
import { openLog } from '../../../src/commands/open-log.ts';
import { checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { LogEvent } from '../../../src/domain/log/events.ts';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { SentTransaction } from '../../../src/ledger/contract.ts';
import { LogUnconfirmed } from '../../../src/transparency-log/guard/check.ts';
import {
  type AnchoredLog,
  compareAnchored,
} from '../../../src/transparency-log/guard/compare-anchored.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import {
  createMemoryEventStore,
  memoryLeaves,
} from '../../reactors/anchoring/simulation/memory-event-store.ts';
import { testDeps } from '../../support/event-store.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { anchoredAt, randomHash } from '../../support/scripted-anchoring.ts';

const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const ledgerId = '1-AA';

/** A log of eleven events, and the account's history on the ledger. */
async function site() {
  const store = createMemoryEventStore();
  const logId = await openLog({ ...testDeps, store }, {});
  await store.append([markedEntry('one', 0, ...'abcdefghij')], {});
  const leaves = memoryLeaves(store);
  const history: SentTransaction[] = [];
  const ledger = { searchedFrom: 2, sequence: 100, pages: 3 };
  const gateway: AnchoredLog['gateway'] = {
    network: 'testnet',
    account: async () => {
      const { sequence } = ledger;
      return { sequence, balanceDrops: 1n, regularKey: null, masterKeyDisabled: false } as never;
    },
    async sent(address, from) {
      const at = from === undefined ? 0 : (from as { at: number }).at;
      const transactions = address === account ? history.slice(at, at + ledger.pages) : [];
      const next = at + ledger.pages < history.length ? { at: at + ledger.pages } : null;
      return { transactions, searchedFrom: ledger.searchedFrom, next };
    },
  };
  const memoAt = async (size: number, epoch = 1) => {
    const rootHash = rootOf(await leaves.read(0, size)).toString('hex');
    return { origin: originOf({ name: logName(logId), epoch }), size, rootHash };
  };
  /** Adds a transaction newer than all others. */
  const onLedger = (memo: object, engineResult = 'tesSUCCESS') => {
    const memos = [checkpointMemo(memo as Awaited<ReturnType<typeof memoAt>>)];
    const place = { ledgerIndex: 1_000 + history.length, engineResult, memos };
    const signed = { blob: '', sequence: 1, feeDrops: 10, lastLedgerSequence: null };
    history.unshift({ hash: randomHash(), ...place, ...signed });
  };
  const own = async (...events: LogEvent[]) => {
    const stream = streams.log(logId);
    const expectedVersion = await store.versionOf(stream);
    await store.append([{ organisationId: null, stream, expectedVersion, events }], {});
  };
  const compared: AnchoredLog = { store, leaves, gateway, account };
  const compare = () => compareAnchored(compared);
  return { store, logId, compared, compare, ledger, history, memoAt, onLedger, own };
}

test('compares a log with the newest checkpoint on the ledger', async (t) => {
  const { compare, memoAt, onLedger, history } = await site();
  t.strictSame(await compare(), { status: 'agrees', last: null }, 'no checkpoint yet');
  const memo = await memoAt(5);
  onLedger(memo);
  t.match(await compare(), { status: 'agrees', last: { ...memo, ledgerIndex: 1_000 } });
  onLedger({
    ...memo,
    origin: originOf({ name: logName('01ARZ3NDEKTSV4RRFFQ69G5FAV'), epoch: 1 }),
    size: 99,
  });
  onLedger({ ...memo, size: 99 }, 'tecNO_PERMISSION');
  for (const _ of [1, 2, 3, 4]) history.unshift({ ...history[0], memos: [] } as SentTransaction);
  t.match(
    await compare(),
    { status: 'agrees', last: memo },
    'other transactions and failures are ignored',
  );

  const longer = { ...memo, size: 12 };
  onLedger(longer);
  const shorter = await compare();
  t.match(shorter, { status: 'anchored-beyond', last: longer, head: 11 });
  const other = { ...memo, rootHash: 'ef'.repeat(32) };
  onLedger(other);
  const differs = await compare();
  t.match(differs, { status: 'anchored-otherwise', last: other, rootHash: memo.rootHash });
  onLedger(await memoAt(5, 2));
  const older = await compare();
  t.match(older, { status: 'anchored-later-epoch', epoch: 1 });
  for (const found of [shorter, differs, older]) {
    if (found.status === 'agrees' || found.status === 'history-ends') throw new Error(found.status);
    const { message } = new LogUnconfirmed(found);
    t.match(message, /^proofmark\/\S+ was anchored on testnet up to event \d+ \(root \w{64}, /);
    t.match(message, /`ops log restored`/);
  }
});

test('ignores checkpoints of the old epoch after a new one was opened', async (t) => {
  const { compare, memoAt, onLedger, own } = await site();
  const lost = { ...(await memoAt(5)), size: 99 };
  onLedger(lost);
  const kept = {
    epoch: 2,
    keptSize: 11,
    keptRootHash: 'ab',
    published: null,
    anchored: null,
    reached: null,
    earlier: [],
  };
  await own({ type: 'LogRestored', data: kept });
  t.match(await compare(), { status: 'agrees', last: lost });
  const begun = await memoAt(12, 2);
  onLedger(begun);
  t.match(await compare(), { status: 'agrees', last: begun });
  onLedger({ ...begun, size: 13 });
  t.match(await compare(), { status: 'anchored-beyond', head: 12 });
});

test('without history on the servers, compares the account’s Sequence', async (t) => {
  const { compare, memoAt, ledger, own, store } = await site();
  const signed = { ledgerId, transactionHash: randomHash(), blob: '', account, sequence: 7 };
  const prepared = { ...signed, feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null };
  const memo = await memoAt(5);
  const place = { ledgerId, transactionHash: signed.transactionHash, ledgerIndex: 5_000 };
  const evidence = { ...anchoredAt, transactionIndex: 0, metadata: '', ledgerHeader: '' };
  await own(
    { type: 'CheckpointRequested', data: { ...memo, reason: 'interval' } },
    { type: 'CheckpointPrepared', data: prepared },
    { type: 'CheckpointAnchored', data: { ...memo, ...place, ledgerHash: 'CC', ...evidence } },
  );
  const taken = [{ sequence: 7, checkpointSize: 5 }];
  const events = [{ type: 'SequencesTaken', data: { ledgerId, account, taken } }] as const;
  const stream = streams.account(ledgerId, account);
  await store.append([{ organisationId: null, stream, expectedVersion: 0, events }], {});
  ledger.searchedFrom = 6_000;
  ledger.sequence = 8;
  t.match(
    await compare(),
    { status: 'agrees', last: null },
    'the log knows every sent transaction',
  );
  ledger.sequence = 9;
  t.match(await compare(), { status: 'history-ends', account, searchedFrom: 6_000 });
  ledger.searchedFrom = 4_000;
  t.match(await compare(), { status: 'agrees', last: null }, 'the ledger was reset');
});
