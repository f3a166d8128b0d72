import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import { AnchorAudit } from '../../../../ops/audit/anchors/anchor-audit.ts';
import type { AskLedger } from '../../../../ops/audit/anchors/anchor-audit-options.ts';
import { auditExport } from '../../../../ops/audit/audit-export.ts';
import {
  auditCheckpoints,
  findOutOfOrder,
} from '../../../../ops/audit/checkpoints/checkpoint-audit.ts';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { LogEpochs } from '../../../../ops/audit/history/log-epochs.ts';
import { readHistory } from '../../../../ops/audit/history/log-history.ts';
import { LogAudit } from '../../../../ops/audit/log/log-audit.ts';
import {
  announcing,
  type OutsideCheckpoint,
} from '../../../../ops/audit/outside/outside-checkpoint.ts';
import { formatRow } from '../../../../ops/audit/rows/exported-row.ts';
import type { Queryable } from '../../../../ops/audit/rows/read-rows.ts';
import { type CheckpointMemo, checkpointMemo } from '../../../../src/domain/log/checkpoint-memo.ts';
import { logName, originOf } from '../../../../src/domain/log/origin.ts';
import { signCheckpoint } from '../../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../../src/transparency-log/checkpoint/note-key.ts';
import { newFolder } from '../../../support/blobs.ts';
import { altered } from '../../../support/log-mutations.ts';
import { sampleProof, sampleWallet } from '../../../support/sample-bundle.ts';
import { seededRandom } from '../../../support/seed.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const logId = '01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const stream = `log-${logId}`;
const ledgerId = '0';
const mutationCount = 150;

interface Anchoring {
  readonly memo: CheckpointMemo;
  /** Members of the signed memo that differ from the events. */
  readonly signed?: Partial<CheckpointMemo>;
  readonly signer?: Wallet;
  /** The account named by the events; by default the signer's own. */
  readonly account?: string;
  /** Members of a replacement that the ledger has; absent if the first transaction is there. */
  readonly replaced?: object;
}

/** Appends the events of anchoring a checkpoint; returns a ledger that holds its transaction. */
function anchor(
  log: WrittenLog,
  { memo, signed, signer, account, replaced }: Anchoring,
): AskLedger {
  const { type, format, data } = checkpointMemo({ ...memo, ...signed });
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  const Memo = { MemoType: hex(type), MemoFormat: hex(format), MemoData: hex(data) };
  const from = account ?? sampleWallet.address;
  const said = { Memos: [{ Memo }], ...(account === undefined ? {} : { Account: account }) };
  const { content, evidence } = sampleProof({ transaction: said, ...(signer && { signer }) });
  const { transactionHash, ledgerIndex, ledgerHash, closeTimeIso } = content;
  const { blob, metadata, ledgerHeader, closeTime, transactionIndex } = evidence;
  const sequence = 7;
  const taken = [{ sequence, checkpointSize: memo.size }];
  const own = sampleWallet.address;
  log.append(stream, 'CheckpointRequested', { ...memo, reason: 'interval' });
  const lastLedgerSequence = ledgerIndex + 2;
  const range = { minLedger: ledgerIndex - 2, lastLedgerSequence };
  const place = { ledgerId, transactionHash };
  log.append(`account-${ledgerId}-${own}`, 'SequencesTaken', { ledgerId, account: own, taken });
  const fee = { sequence, feeDrops: 10 };
  const prepared = { ...place, blob, account: from, ...fee, ...range };
  const other = { ...prepared, transactionHash: 'A1'.repeat(32), feeDrops: 5 };
  if (replaced) log.append(stream, 'CheckpointPrepared', other);
  const replaces = replaced ? other.transactionHash : null;
  log.append(stream, 'CheckpointPrepared', { ...prepared, replaces, ...replaced });
  const closed = { ledgerIndex, ledgerHash, closeTime, closeTimeIso };
  const held = { transactionIndex, metadata, ledgerHeader };
  log.append(stream, 'CheckpointAnchored', { ...memo, ...place, ...closed, ...held });
  const transactions = [{ hash: transactionHash, blob, metadata }];
  const named = { index: ledgerIndex, hash: ledgerHash, closeTime, parentHash: 'B3'.repeat(32) };
  const ledger = { ...named, header: ledgerHeader, transactions };
  const server = { server: 'wss://ledger.example', standalone: false };
  return async () => ({ asked: true, reached: true, ...server, ledger });
}

function begin(): WrittenLog {
  const log = new WrittenLog();
  log.append(stream, 'LogOpened', { logId, leafVersion: 1 });
  for (const account of ['one', 'two', 'three']) {
    log.append(`account-test-${account}`, 'AccountRetired', { ledgerId: 'test', account });
  }
  return log;
}

function memoOf(log: WrittenLog, epoch = 1, size = log.rows.length): CheckpointMemo {
  return {
    origin: originOf({ name: logName(logId), epoch }),
    size,
    rootHash: log.root(size).toString('hex'),
  };
}

/** An auditor of exports of a log. Nothing is published except the given checkpoint. */
async function auditorOf(t: Test) {
  const file = join(await newFolder(t), 'history.ndjson');
  return async (
    log: WrittenLog,
    ask: AskLedger | null,
    note: string | null = null,
    outside: readonly OutsideCheckpoint[] = [],
  ) => {
    const findings = new Findings();
    await writeFile(file, log.rows.map((row) => `${formatRow(row)}\n`).join(''));
    const anchors = new AnchorAudit({ ask, findings });
    const published = { readCheckpoint: async () => note, readTile: async () => null };
    const readOutside = async () => outside;
    const of = { file, published, trusted: null, anchors, readOutside, findings };
    await auditExport(of).finally(() => anchors.close());
    const { faults, lost } = findings.report();
    const following = faults.flatMap(({ consequences }) => consequences?.first ?? []);
    return { faults: [...faults.map(faultInWords), ...following], lost };
  };
}

test('a checkpoint whose transaction was replaced is checked against the one on the ledger', async (t) => {
  const audit = await auditorOf(t);
  const log = begin();
  const ask = anchor(log, { memo: memoOf(log), replaced: {} });
  t.strictSame((await audit(log, ask)).faults, []);
  const forged = begin();
  anchor(forged, { memo: memoOf(forged), replaced: { lastLedgerSequence: 1 } });
  t.match((await audit(forged, null)).faults.join(), /is recorded as a replacement/);
});

test('an anchored checkpoint is checked against the tree, the signed transaction and the ledger', async (t) => {
  const audit = await auditorOf(t);
  const log = begin();
  const ask = anchor(log, { memo: memoOf(log) });
  t.strictSame((await audit(log, null)).faults, [], 'with its evidence alone');
  t.strictSame((await audit(log, ask)).faults, [], 'with the ledger');
  const at = /^ledger position 8 \(data\): /;

  const cases: readonly [string, (forged: WrittenLog) => AskLedger, RegExp][] = [
    [
      'a wrong root in the memo',
      (forged) => anchor(forged, { memo: memoOf(forged), signed: { rootHash: '0'.repeat(64) } }),
      /transaction: the transaction does not contain exactly the stated memo/,
    ],
    [
      'a memo of another size',
      (forged) => anchor(forged, { memo: memoOf(forged), signed: { size: 3 } }),
      /transaction: the transaction does not contain exactly the stated memo/,
    ],
    [
      'the root of other events, in events and memo',
      (forged) => anchor(forged, { memo: { ...memoOf(forged), rootHash: '0'.repeat(64) } }),
      /root of the first 4 events differs from the root in the anchored checkpoint/,
    ],
    [
      'more events than there were',
      (forged) => anchor(forged, { memo: { ...memoOf(forged), size: 9 } }),
      /the checkpoint covers 9 events, but only 7 events precede it/,
    ],
    [
      'another log',
      (forged) =>
        anchor(forged, {
          memo: { ...memoOf(forged), origin: originOf({ name: logName(logId), epoch: 2 }) },
        }),
      /the checkpoint belongs to proofmark\/\w+\/2, but this log is/,
    ],
    [
      'a foreign account, in the events too',
      (forged) => {
        const signer = Wallet.fromEntropy(Buffer.alloc(16, 2));
        return anchor(forged, { memo: memoOf(forged), signer, account: signer.address });
      },
      /account: no event records that r\w+ took its Sequence for the checkpoint/,
    ],
    [
      'a foreign account, in the transaction',
      (forged) => {
        const { address } = Wallet.fromEntropy(Buffer.alloc(16, 2));
        const found = anchor(forged, { memo: memoOf(forged), account: address });
        forged.rewrite('CheckpointPrepared', { account: sampleWallet.address });
        return found;
      },
      /transaction: the transaction is from account r/,
    ],
    [
      'another checkpoint than was requested',
      (forged) => {
        const found = anchor(forged, { memo: memoOf(forged, 1, 3) });
        forged.rewrite('CheckpointRequested', memoOf(forged, 1, 4));
        return found;
      },
      /anchored checkpoint differs from the checkpoint that was requested/,
    ],
  ];
  for (const [name, forge, expected] of cases) {
    const forged = begin();
    const ledger = forge(forged);
    for (const one of [null, ledger]) {
      const { faults } = await audit(forged, one);
      t.ok(
        faults.some((fault) => at.test(fault) && expected.test(fault)),
        `${name}: ${faults}`,
      );
    }
  }
});

test('a checkpoint that is missing on the ledger is a fault', async (t) => {
  const audit = await auditorOf(t);
  const log = begin();
  const ask = anchor(log, { memo: memoOf(log) });
  const found = await ask('mainnet', 0);
  if (!found.asked || !found.reached || found.ledger === null) throw new Error('no ledger');
  const { ledger } = found;
  const without = async () => ({ ...found, ledger: { ...ledger, transactions: [] } });
  t.match(
    (await audit(log, without)).faults.join(),
    /anchored transaction: the validated ledger does not/,
  );
  const none = async () => ({ ...found, ledger: null });
  t.match((await audit(log, none)).faults.join(), /does not have validated ledger 90000123/);
  const gone = async () => ({ asked: true, reached: false, why: 'it does not answer' }) as const;
  t.strictSame((await audit(log, gone)).faults, [], 'the server is told apart from the anchor');
});

test('any change in an anchored checkpoint is found, even if leaf and tree agree', async (t) => {
  const draw = seededRandom(t);
  const random = { below: (count: number) => Math.floor(draw() * count) };
  const audit = await auditorOf(t);
  for (let n = 0; n < mutationCount; n += 1) {
    const log = begin();
    const ask = anchor(log, { memo: memoOf(log) });
    const data = JSON.parse(log.rows.at(-1)?.data ?? '') as Record<string, string | number>;
    const names = Object.keys(data);
    const name = names[random.below(names.length)] ?? '';
    const isRemoved = random.below(10) === 0;
    log.rewrite('CheckpointAnchored', {
      [name]: isRemoved ? undefined : altered(data[name] ?? null, random),
    });
    const { faults } = await audit(log, ask);
    if (faults.length === 0) t.fail(`${name} is not found (number ${n})`);
  }
  t.pass(`${mutationCount} changes`);
});

/** A log with two epochs and a checkpoint anchored in each. The restore lost 20 events of the first. */
function restoredLog() {
  const log = begin();
  const ask = anchor(log, { memo: memoOf(log) });
  const kept = memoOf(log);
  const lost = { ...kept, size: kept.size + 20, rootHash: 'ab'.repeat(32) };
  const restored = { epoch: 2, keptSize: kept.size, keptRootHash: kept.rootHash };
  log.append(stream, 'LogRestored', { ...restored, published: lost, anchored: null });
  log.append(stream, 'LogReconciled', { epoch: 2, recovered: 0, lost: 0 });
  const second = memoOf(log, 2);
  anchor(log, { memo: second });
  return { log, ask, kept, lost, second };
}

function noteOf({ origin, size, rootHash }: CheckpointMemo) {
  const signer = noteSigner(origin, Buffer.alloc(32, 9));
  const note = signCheckpoint({ origin, size, root: Buffer.from(rootHash, 'hex') }, [signer]);
  return { note, vkeys: signer.vkey, origin, size };
}

test('a log with a restore has no fault, and events named by the restore are listed as lost', async (t) => {
  const audit = await auditorOf(t);
  const { log, lost } = restoredLog();
  t.strictSame(await audit(log, null), { faults: [], lost: [] });
  const found = await audit(log, null, noteOf(lost).note);
  t.strictSame(found.faults, []);
  t.match(found.lost, [
    /28 events, but a restore kept only the first 8\. .* lost, as the event at position 9 records/,
  ]);
  const larger = noteOf({ ...lost, size: lost.size + 1 });
  t.match(
    (await audit(log, null, larger.note)).faults.join(),
    /position 9 does not name this checkpoint as lost/,
  );
  const other = noteOf({ ...lost, rootHash: 'cd'.repeat(32) });
  t.match(
    (await audit(log, null, other.note)).faults.join(),
    /does not name this checkpoint as lost/,
  );
  log.rewrite('LogRestored', { keptRootHash: '0'.repeat(64) });
  t.match(
    (await audit(log, null)).faults.join(),
    /position 9 .*differs from the root that the restore recorded/,
  );
});

test('a checkpoint that was requested before a restore of the storage alone is no fault', async (t) => {
  const audit = await auditorOf(t);
  const resultOf = async ({ requestedRoot = '', anchoredRoot = '', isNamed = false } = {}) => {
    const log = begin();
    const kept = memoOf(log, 1, 2);
    const memo = memoOf(log);
    const requested = { ...memo, ...(requestedRoot && { rootHash: requestedRoot }) };
    // The storage was lost after it had a checkpoint of two events.
    log.append(stream, 'CheckpointRequested', { ...requested, reason: 'interval' });
    const restored = { epoch: 2, keptSize: 2, keptRootHash: kept.rootHash };
    // Named if the ledger had it when the log was restored.
    const anchored = isNamed ? { ...memo, network: 'testnet', transactionHash: 'AB' } : null;
    log.append(stream, 'LogRestored', { ...restored, published: null, anchored });
    log.append(stream, 'LogReconciled', { epoch: 2, recovered: 0, lost: 0 });
    const { origin, size } = memo;
    const root = Buffer.from(anchoredRoot || memo.rootHash, 'hex');
    const outside = { in: 'ledger', origin, size, root, name: 'the anchored one' } as const;
    return audit(log, null, null, [outside]);
  };
  const wrong = 'ab'.repeat(32);
  for (const isNamed of [false, true]) {
    t.strictSame(await resultOf({ isNamed }), { faults: [], lost: [] });
    const { faults, lost } = await resultOf({ isNamed, anchoredRoot: wrong });
    t.match(faults, [/the anchored one: the root of the first 4 events differs/]);
    t.strictSame(lost, []);
  }
  const { faults } = await resultOf({ requestedRoot: wrong });
  t.match(faults, [/position 5 .*root of the first 4 events differs/]);
});

test('published checkpoints of every epoch are checked against the kept part of the tree', async (t) => {
  const { log, kept, lost, second } = restoredLog();
  const listed = async (...memos: readonly CheckpointMemo[]) => {
    const all = memos.map((memo, index) => ({ number: index + 1, ...noteOf(memo) }));
    const query = async (text: string, [of, most = 0]: readonly (string | number)[]) => ({
      rows: all.filter(({ number, origin, size }) =>
        text.includes('origin = $1') ? origin === of && size <= Number(most) : number > Number(of),
      ),
    });
    // The code under test uses only `query` of a pool.
    const database = { query } as unknown as Queryable;
    const findings = new Findings();
    async function* rows() {
      yield* log.rows;
    }
    const history = await readHistory(rows());
    const epochs = LogEpochs.of(history);
    const checkpoints = auditCheckpoints(database, { epochs, through: all.length, findings });
    const announced = announcing(history, await findOutOfOrder(database, epochs));
    const audited = new LogAudit({ checkpoints, tiles: null, history: announced, findings });
    for (const row of log.rows) await audited.add(row);
    await audited.end(null);
    audited.close();
    const { faults: found, lost: lostOnes } = findings.report();
    return { faults: found.map(faultInWords).join(), lost: lostOnes.join() };
  };
  const early = memoOf(log, 1, 3);
  t.strictSame(await listed(early, kept, second), { faults: '', lost: '' });
  t.match(await listed(early, kept, lost, second), { faults: '', lost: /checkpoint 3: .* lost/ });
  const wrong = { ...early, rootHash: '0'.repeat(64) };
  t.match(await listed(wrong, kept, second), {
    faults: /checkpoint 1: the root of the first 3 events/,
  });
  const between = { ...lost, size: lost.size - 1 };
  t.match(await listed(kept, between, second), {
    faults: '',
    lost: /checkpoint 2: the checkpoint covers 27/,
  });
  const unnamed = { ...lost, size: lost.size + 1 };
  t.match(await listed(kept, unnamed, second), {
    faults: /checkpoint 2: .*does not name this checkpoint as lost/,
  });
  const young = memoOf(log, 2, 3);
  t.strictSame(await listed(early, kept, young, second), { faults: '', lost: '' });
  const forged = { ...young, rootHash: '0'.repeat(64) };
  t.match(await listed(early, kept, forged, second), {
    faults: /^checkpoints \(note\): checkpoint 3: the root of the first 3 events differs[^,]*$/,
  });
});

test('an HTML page in place of the published checkpoint is a fault', async (t) => {
  const audit = await auditorOf(t);
  t.strictSame((await audit(begin(), null, '<html>')).faults, [
    'checkpoints: the published checkpoint is not a valid checkpoint',
  ]);
});
