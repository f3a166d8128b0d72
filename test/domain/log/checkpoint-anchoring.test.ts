import { test } from 'tap';
import type { TransactionOutcome } from '../../../src/domain/ledger/transaction.ts';
import {
  type CheckpointMemo,
  checkpointMemo,
  readCheckpointMemo,
} from '../../../src/domain/log/checkpoint-memo.ts';
import { logDecider } from '../../../src/domain/log/decider.ts';
import type { LogEvent } from '../../../src/domain/log/events.ts';
import { evolveLog } from '../../../src/domain/log/evolve.ts';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { type LogState, unopenedLog } from '../../../src/domain/log/state.ts';

const logId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const memoAt = (size: number, epoch = 1): CheckpointMemo => {
  return { origin: originOf({ name: logName(logId), epoch }), size, rootHash: 'ab'.repeat(32) };
};
const first = 'A1'.repeat(32);
const second = 'B2'.repeat(32);

const opened: LogEvent = {
  type: 'LogOpened',
  data: { logId, leafVersion: 1, origin: logName(logId) },
};
const requested = (memo: CheckpointMemo): LogEvent => {
  return { type: 'CheckpointRequested', data: { ...memo, reason: 'interval' } };
};
const preparation = (transactionHash: string) => ({
  ledgerId: '1-AA',
  transactionHash,
  blob: '12',
  account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  sequence: 7,
  feeDrops: 10,
  minLedger: 100,
  lastLedgerSequence: 108,
  replaces: null,
});
const prepared = (hash = first): LogEvent => {
  return { type: 'CheckpointPrepared', data: preparation(hash) };
};
const place = (transactionHash: string) => ({
  ledgerId: '1-AA',
  transactionHash,
  ledgerIndex: 104,
  ledgerHash: 'CC',
  closeTime: 1,
  closeTimeIso: '2000-01-01T00:00:01.000Z',
  transactionIndex: 0,
  metadata: 'AA',
  ledgerHeader: 'BB',
});
const validated = (hash: string): TransactionOutcome => ({
  outcome: 'anchored',
  transaction: place(hash),
});
const anchored = (memo: CheckpointMemo, hash = first): LogEvent => {
  return { type: 'CheckpointAnchored', data: { ...memo, ...place(hash) } };
};
const restored = (epoch: number, keptSize: number): LogEvent => {
  const nothing = { published: null, anchored: null, reached: null, earlier: [] };
  return { type: 'LogRestored', data: { epoch, keptSize, keptRootHash: 'cd', ...nothing } };
};
const reconciled: LogEvent = { type: 'LogReconciled', data: { epoch: 2, recovered: 0, lost: 0 } };

function given(...events: readonly LogEvent[]): LogState {
  return events.reduce(
    (state, event, at) =>
      evolveLog(state, { ...event, recordedAt: `2026-01-01T00:00:0${at % 10}.000Z` }),
    unopenedLog,
  );
}
const ask = (state: LogState, memo: CheckpointMemo) =>
  logDecider.requestCheckpoint(state, memo, 'interval');

test('a checkpoint memo holds origin, size and root, and other memos are not accepted', async (t) => {
  const memo = checkpointMemo(memoAt(12));
  t.equal(memo.data, `{"origin":"proofmark/${logId}","size":12,"rootHash":"${'ab'.repeat(32)}"}`);
  t.strictSame(readCheckpointMemo([memo]), memoAt(12));
  t.ok(Buffer.byteLength(memo.data) < 500, 'a memo takes at most 1,024 bytes');
  for (const data of ['', '{}', 'null', '[]', memo.data.replace('12', '0'), `${memo.data} `]) {
    t.equal(readCheckpointMemo([{ ...memo, data }]), null, data);
  }
  t.equal(readCheckpointMemo([{ ...memo, type: 'proofmark/proof' }]), null);
  t.equal(readCheckpointMemo([memo, memo]), null);
  t.equal(readCheckpointMemo([]), null);
});

test('a checkpoint is requested only if none is open and it covers more', async (t) => {
  const requests = [{ type: 'CheckpointRequested', data: { ...memoAt(9), reason: 'interval' } }];
  t.strictSame(ask(given(opened), memoAt(9)), requests);
  t.strictSame(ask(given(opened, requested(memoAt(5))), memoAt(9)), []);
  t.strictSame(ask(given(opened, requested(memoAt(5)), prepared()), memoAt(9)), []);
  const once = [opened, requested(memoAt(9)), prepared(), anchored(memoAt(9))];
  t.strictSame(ask(given(...once), memoAt(9)), []);
  t.equal(ask(given(...once), memoAt(10)).length, 1);
  t.strictSame(ask(given(opened), memoAt(9, 2)), [], 'of another epoch');
});

test('an outcome settles only the transaction under way, and only once', async (t) => {
  const processing = given(opened, requested(memoAt(9)), prepared());
  const settled = logDecider.settleCheckpoint(processing, validated(first));
  t.strictSame(settled, [anchored(memoAt(9))]);
  t.strictSame(
    logDecider.settleCheckpoint(processing, validated(second)),
    [],
    'another transaction',
  );
  t.strictSame(logDecider.settleCheckpoint(given(opened), validated(first)), []);
  const done = given(opened, requested(memoAt(9)), prepared(), anchored(memoAt(9)));
  t.strictSame(logDecider.settleCheckpoint(done, validated(first)), []);
  t.match(done.anchored, { size: 9, transactionHash: first, ledgerIndex: 104 });
  t.notOk('metadata' in (done.anchored ?? {}), 'the state holds no evidence');
});

test('an expired checkpoint is prepared again, a failed one waits for the next request', async (t) => {
  const history = [opened, requested(memoAt(9)), prepared()];
  const absent = { outcome: 'absent', transactionHash: first } as const;
  const expired = logDecider.settleCheckpoint(given(...history), absent);
  t.match(expired, [{ type: 'CheckpointExpired', data: { reason: 'absent' } }]);
  const pending = given(...history, ...expired);
  t.match(pending.checkpoint, { status: 'pending', memo: memoAt(9), failures: 1 });
  t.match(logDecider.prepareCheckpoint(pending, preparation(second)), [prepared(second)]);
  t.strictSame(
    logDecider.prepareCheckpoint(given(...history), preparation(second)),
    [],
    'a transaction is already signed',
  );

  const tec = { outcome: 'failed', transactionHash: first, engineResult: 'tecX' } as const;
  const refused = logDecider.settleCheckpoint(given(...history), tec);
  t.match(refused, [{ type: 'CheckpointRefused', data: { engineResult: 'tecX' } }]);
  const after = given(...history, ...refused);
  t.equal(after.checkpoint.status, 'none');
  t.equal(ask(after, memoAt(9)).length, 1);
});

test('a checkpoint is anchored by its transaction or by a replacement of it', async (t) => {
  const history = [opened, requested(memoAt(9)), prepared()];
  const next = { ...preparation(second), replaces: first, feeDrops: 100 };
  const events = logDecider.prepareCheckpoint(given(...history), next);
  t.strictSame(events, [{ type: 'CheckpointPrepared', data: next }]);
  const state = given(...history, ...events);
  for (const hash of [first, second]) {
    const settled = logDecider.settleCheckpoint(state, validated(hash));
    t.strictSame(settled, [anchored(memoAt(9), hash)]);
  }
  const absent = (transactionHash: string) => ({ outcome: 'absent', transactionHash }) as const;
  t.strictSame(logDecider.settleCheckpoint(state, absent(first)), []);
  const expired = logDecider.settleCheckpoint(state, absent(second));
  t.match(given(...history, ...events, ...expired).checkpoint, { status: 'pending', failures: 1 });
});

test('in a new epoch no checkpoint of the old epoch is signed', async (t) => {
  const waiting = given(opened, requested(memoAt(9)), restored(2, 7));
  t.equal(waiting.checkpoint.status, 'none');
  t.strictSame(ask(waiting, memoAt(9, 2)), [], 'not before the log was compared with the ledger');
  const begun = given(opened, requested(memoAt(9)), restored(2, 7), reconciled);
  t.strictSame(ask(begun, memoAt(9)), [], 'under the old origin');
  t.equal(ask(begun, memoAt(9, 2)).length, 1);

  const signed = given(opened, requested(memoAt(5)), prepared(), restored(2, 7), reconciled);
  t.equal(signed.checkpoint.status, 'processing', 'the checkpoint may already be on the ledger');
  const absent = logDecider.settleCheckpoint(signed, { outcome: 'absent', transactionHash: first });
  const after = absent.reduce(
    (state, event) => evolveLog(state, { ...event, recordedAt: '' }),
    signed,
  );
  t.equal(after.checkpoint.status, 'none', 'the checkpoint is not signed again');
});
