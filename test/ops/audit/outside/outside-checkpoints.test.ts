import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { AnchorAudit } from '../../../../ops/audit/anchors/anchor-audit.ts';
import { auditExport } from '../../../../ops/audit/audit-export.ts';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import type { AnchoringAccount } from '../../../../ops/audit/history/log-history.ts';
import { restoreInWords } from '../../../../ops/audit/history/restores.ts';
import type { AskedLedger } from '../../../../ops/audit/outside/ask-ledgers.ts';
import { OutsideReader } from '../../../../ops/audit/outside/read-outside.ts';
import { formatRow } from '../../../../ops/audit/rows/exported-row.ts';
import { type CheckpointMemo, checkpointMemo } from '../../../../src/domain/log/checkpoint-memo.ts';
import { logName, originOf } from '../../../../src/domain/log/origin.ts';
import type { LedgerGateway, SentTransaction } from '../../../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../../../src/ledger/ledger-unavailable.ts';
import { signCheckpoint } from '../../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../../src/transparency-log/checkpoint/note-key.ts';
import type { LogStorage } from '../../../../src/transparency-log/published/contract.ts';
import { type Tile, tilePath } from '../../../../src/transparency-log/tree/tile.ts';
import { TileEdge } from '../../../../src/transparency-log/tree/tile-edge.ts';
import { type ReadKey, readLogKey } from '../../../../src/verifier/log/note-key.ts';
import { newFolder } from '../../../support/blobs.ts';
import { sampleWallet } from '../../../support/sample-bundle.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const logId = '01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const otherId = '01M7XT7TX5VQ3R4S5T6V7W8X9Z';
const stream = `log-${logId}`;
const seed = Buffer.alloc(32, 9);
const account = sampleWallet.address;

function write(events: number): WrittenLog {
  const log = new WrittenLog();
  log.append(stream, 'LogOpened', { logId, leafVersion: 1 });
  for (let n = 1; n < events; n += 1) {
    log.append(`account-test-${n}`, 'AccountRetired', { ledgerId: 'test', account: `r${n}` });
  }
  return log;
}

function memoOf(
  log: WrittenLog,
  size: number,
  origin = originOf({ name: logName(logId), epoch: 1 }),
): CheckpointMemo {
  return { origin, size, rootHash: log.root(size).toString('hex') };
}

function noteOf({ origin, size, rootHash }: CheckpointMemo, key = seed): string {
  const signer = noteSigner(origin, key);
  return signCheckpoint({ origin, size, root: Buffer.from(rootHash, 'hex') }, [signer]);
}

/** A transaction with this memo; the first Sequence of the account is 100. */
function sent(memo: CheckpointMemo, order: number, engineResult = 'tesSUCCESS'): SentTransaction {
  return {
    hash: String(order).padStart(64, 'A'),
    blob: '',
    ledgerIndex: 200 + order,
    engineResult,
    sequence: 100 + order,
    feeDrops: 10,
    lastLedgerSequence: 300,
    memos: [checkpointMemo(memo)],
  };
}

/** A server with the account's history, in pages of two. */
function serverWith(
  history: readonly SentTransaction[],
  given: {
    searchedFrom?: number;
    fails?: boolean;
    unreached?: readonly string[];
    network?: 'mainnet' | 'testnet';
  } = {},
) {
  const { searchedFrom = 1, fails = false, unreached = [], network = 'testnet' } = given;
  const newestFirst = history.toReversed();
  const gateway: Pick<LedgerGateway, 'sent' | 'name' | 'network'> = {
    network,
    name: () => network,
    async sent(address, from) {
      if (fails) throw new LedgerUnavailable('no server of testnet answers');
      if (address !== account) return { transactions: [], searchedFrom, next: null };
      const start = (from as { start: number } | undefined)?.start ?? 0;
      const next = start + 2 < newestFirst.length ? { start: start + 2 } : null;
      return { transactions: newestFirst.slice(start, start + 2), searchedFrom, next };
    },
  };
  // The code under test uses only these functions of a gateway.
  return { networks: async () => ({ gateways: [gateway as LedgerGateway], unreached }) };
}

/** Servers of several networks. */
function together(...servers: readonly Pick<AskedLedger, 'networks'>[]) {
  const networks = async () => {
    const all = await Promise.all(servers.map((server) => server.networks()));
    return { gateways: all.flatMap(({ gateways }) => gateways), unreached: [] };
  };
  return { networks };
}

interface Given {
  readonly asked?: Pick<AskedLedger, 'networks'>;
  readonly accounts?: readonly string[];
  readonly configured?: readonly AnchoringAccount[];
  readonly files?: readonly string[];
  readonly trusted?: readonly ReadKey[];
  readonly published?: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
}

/** A log that publishes a checkpoint over all rows, with its tiles. */
function publishedOf(log: WrittenLog, memo = memoOf(log, log.rows.length)) {
  const edge = TileEdge.empty();
  const full = log.rows.flatMap(({ leaf }) => edge.append(leaf));
  const tiles = new Map(
    [...full, ...edge.partial()].map(({ tile, bytes }) => [tilePath(tile), bytes]),
  );
  const readTile = async (_origin: string, tile: Tile) => tiles.get(tilePath(tile)) ?? null;
  return { tiles, readCheckpoint: async () => noteOf(memo), readTile };
}

async function auditorOf(t: Test) {
  const folder = await newFolder(t);
  const file = join(folder, 'history.ndjson');
  const audit = async (log: WrittenLog, given: Given) => {
    const { asked = null, accounts = [account], files = [], trusted = null } = given;
    const { published = null, configured = [] } = given;
    const findings = new Findings();
    await writeFile(file, log.rows.map((row) => `${formatRow(row)}\n`).join(''));
    const outside = new OutsideReader({ asked, accounts, configured, files, findings });
    const anchors = new AnchorAudit({ ask: null, findings });
    const audited = await auditExport({
      ...{ file, published, trusted, anchors, findings },
      readOutside: (history, known) => outside.read(history, known),
    }).finally(() => anchors.close());
    const { faults, lost, unchecked } = findings.report();
    return {
      faults: faults.map(faultInWords),
      lost,
      restores: audited?.restores,
      root: audited?.root,
      unchecked: unchecked.map(faultInWords),
      notCompared: outside.notCompared,
      compared: outside.compared,
    };
  };
  const keep = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  return { audit, keep, folder };
}

test('a log that was cut or written anew denies no checkpoint on the ledger', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(12);
  const history = [4, 8, 11].map((size, order) => sent(memoOf(log, size), order));
  const asked = serverWith(history);
  t.match(await audit(log, { asked }), {
    faults: [],
    unchecked: [],
    notCompared: ['the checkpoints on mainnet: no server of --ledger serves it'],
    compared: { onLedger: 3, inFiles: 0 },
  });
  const cut = await audit(write(9), { asked });
  t.strictSame(cut.faults, [], 'an export may be older than a checkpoint');
  t.match(cut.unchecked, [
    /^events position 10: the export ends at event 9, but checkpoints cover events 10 to 11 too\. Run/,
  ]);
  const anew = write(7);
  for (let n = 0; n < 5; n += 1) anew.append('account-test-x', 'AccountRetired', { n });
  const { faults } = await audit(anew, { asked });
  t.equal(faults.length, 1, 'the second follows from the same change');
  t.match(faults[0], /ledger 202 .* root of the first 11 events differs/);
});

test('the account is found in the log, and its absence is told', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const asked = serverWith([sent(memoOf(log, 4), 0)]);
  const none = await audit(log, { asked, accounts: [] });
  t.match(none, { faults: [], compared: { onLedger: 0 } });
  t.match(none.notCompared, [/the log names no account .* Name it with --account/]);
  log.append(stream, 'CheckpointPrepared', { account, sequence: 100 });
  const found = await audit(log, { asked, accounts: [] });
  t.match(found, { compared: { onLedger: 1 } });
  t.match(found.notCompared, [/other accounts than those in the log \(no --account\)/]);
});

test('failed transactions, other logs and histories with a beginning that is missing', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const forged = { ...memoOf(log, 4), rootHash: '0'.repeat(64) };
  const failed = await audit(log, { asked: serverWith([sent(forged, 0, 'tecPATH_DRY')]) });
  t.match(failed, { faults: [], compared: { onLedger: 0 } });
  const foreign = sent(memoOf(log, 4, originOf({ name: logName(otherId), epoch: 1 })), 0);
  const others = await audit(log, { asked: serverWith([foreign]) });
  t.strictSame(others.faults, []);
  t.match(others.notCompared, [
    /on mainnet/,
    new RegExp(`^1 checkpoint.*another log, proofmark/${otherId}$`),
  ]);
  t.match(others.unchecked, [
    /--account anchored all belong to other logs\. If you noted these acc/,
  ]);
  const both = await audit(log, { asked: serverWith([foreign, sent(memoOf(log, 4), 1)]) });
  t.match(both, { faults: [], unchecked: [], compared: { onLedger: 1 } });
  const unnamed = write(5);
  unnamed.append(stream, 'CheckpointPrepared', { account, sequence: 100 });
  const own = await audit(unnamed, { asked: serverWith([foreign]), accounts: [] });
  t.strictSame(
    own.unchecked,
    [],
    'a log that was begun anew may use the account of an earlier one',
  );
  const ordinary = [sent(memoOf(log, 4), 0)];
  const late = await audit(log, { asked: serverWith(ordinary, { searchedFrom: 150 }) });
  t.match(late.unchecked, [/before ledger 150: the server has no earlier ledgers/]);
  t.match(late, { faults: [], compared: { onLedger: 1 } });
  // The account was deleted after its first checkpoints, and funded anew in ledger 200, or has sent
  // several transactions in each ledger.
  for (const sequence of [200, 1_000, null]) {
    const anew = ordinary.map((one) => ({ ...one, sequence }));
    const { unchecked } = await audit(log, { asked: serverWith(anew, { searchedFrom: 150 }) });
    t.match(unchecked, [/before ledger 150/], `the oldest Sequence is ${sequence}`);
  }
  const gone = await audit(log, { asked: serverWith([], { searchedFrom: 150 }) });
  t.match(gone.unchecked, [/before ledger 150/], 'an account that is there no more');
  const unknown = await audit(log, { asked: serverWith([], { searchedFrom: 0 }) });
  t.match(unknown.unchecked, [/on testnet: the server does not know the account/]);
  const oldest = ordinary.map((one) => ({ ...one, sequence: 1 }));
  const whole: readonly (readonly [
    readonly SentTransaction[],
    Parameters<typeof serverWith>[1],
  ])[] = [
    [oldest, { searchedFrom: 150 }],
    [ordinary, { searchedFrom: 3 }],
    [ordinary, { searchedFrom: 32_570, network: 'mainnet' }],
  ];
  for (const [history, given] of whole) {
    t.strictSame((await audit(log, { asked: serverWith(history, given) })).unchecked, []);
  }
  const silent = await audit(log, { asked: serverWith([], { fails: true }) });
  t.match(silent.unchecked, [/anchored on testnet: no server of testnet answers/]);
});

test('a history without a beginning is unchecked only on networks of the account', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const used = [sent(memoOf(log, 4), 0)];
  const main = serverWith(used, { searchedFrom: 32_570, network: 'mainnet' });
  const missing = [
    /^ledger: the checkpoints that r\w+ anchored on testnet before ledger 150: .* full history/,
  ];
  for (const searchedFrom of [150, 0]) {
    const unused = serverWith([], { searchedFrom });
    const { unchecked, notCompared } = await audit(log, { asked: together(main, unused) });
    t.strictSame(unchecked, []);
    t.match(notCompared, [/^the checkpoints that r\w+ anchored on testnet.* of another network$/]);
  }
  const onBoth = together(main, serverWith(used, { searchedFrom: 150 }));
  t.match((await audit(log, { asked: onBoth })).unchecked, missing);
  const unusedMain = serverWith([], { searchedFrom: 32_570, network: 'mainnet' });
  const onNeither = together(unusedMain, serverWith([], { searchedFrom: 150 }));
  t.match((await audit(log, { asked: onNeither })).unchecked, missing, 'nobody knows the network');

  const asked = serverWith([], { searchedFrom: 150 });
  for (const [network, ledgerId, wanted] of [
    ['mainnet', '0', []],
    ['testnet', '1', missing],
    ['testnet', '1-AB', missing],
    [null, undefined, missing],
  ] as const) {
    const recorded = write(5);
    recorded.append(stream, 'CheckpointPrepared', { account, ledgerId, sequence: 100 });
    const ofLog = await audit(recorded, { asked, accounts: [] });
    t.match(ofLog.unchecked, wanted, `the log records ${ledgerId}`);
    t.equal(ofLog.unchecked.length, wanted.length);
    const configured = [{ account, network }];
    const ofConfig = await audit(log, { asked, accounts: [], configured });
    t.match(ofConfig.unchecked, wanted, `the configuration names ${network}`);
    t.equal(ofConfig.unchecked.length, wanted.length);
    const named = await audit(recorded, { asked });
    t.match(named.unchecked, missing, 'the log cannot excuse an account of --account');
  }
});

test('a configured account that does not exist yet is only listed as not compared', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const asked = serverWith([], { searchedFrom: 0 });
  for (const network of ['testnet', null] as const) {
    const configured = [{ account, network }];
    const unused = await audit(log, { asked, accounts: [], configured });
    t.strictSame(unused.unchecked, [], `the configuration names ${network}`);
    t.match(unused.notCompared.join('\n'), /on testnet: the account does not exist there yet, and/);
    const missing = [/anchored on testnet: the server does not know the account/];
    const named = await audit(log, { asked, configured });
    t.match(named.unchecked, missing, 'an account of --account');
    const recorded = write(5);
    recorded.append(stream, 'CheckpointPrepared', { account, ledgerId: '1-AB', sequence: 100 });
    const signed = await audit(recorded, { asked, accounts: [], configured });
    t.match(signed.unchecked, missing, 'an account that has signed');
  }
  const configured = [{ account, network: 'testnet' as const }];
  const late = { asked: serverWith([], { searchedFrom: 150 }), accounts: [], configured };
  t.match((await audit(log, late)).unchecked, [/before ledger 150/], 'one that exists');
});

test('a ledger server that cannot be used leaves an item unchecked beside others', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const main = 'wss://main.example (connect ECONNREFUSED)';
  const wanted = [
    /^ledger: the checkpoints on the ledger of wss:\/\/main\.example \(connect ECONNREFUSED\): this server of --ledger cannot be used\. Audit again later/,
  ];
  const history = [sent(memoOf(log, 4), 0)];
  const half = await audit(log, { asked: serverWith(history, { unreached: [main] }) });
  t.match(half.unchecked, wanted);
  t.equal(half.unchecked.length, 1);
  t.strictSame(half.notCompared, []);
  t.match(half, { faults: [], compared: { onLedger: 1 } }, 'the other network is compared');
  const asked = { networks: async () => ({ gateways: [], unreached: [main] }) };
  t.match((await audit(log, { asked })).unchecked, wanted);
});

test('checkpoints of events that a restore lost are listed as lost', async (t) => {
  const { audit } = await auditorOf(t);
  const before = write(9);
  const log = write(6);
  const kept = memoOf(log, 6);
  const lost = memoOf(before, 9);
  log.append(stream, 'LogRestored', {
    ...{ epoch: 2, keptSize: 6, keptRootHash: kept.rootHash, published: lost, anchored: null },
  });
  const asked = serverWith([sent(kept, 0), sent(lost, 1)]);
  const found = await audit(log, { asked });
  t.strictSame(found.faults, []);
  t.strictSame(found.restores, [{ epoch: 2, position: 7, keptSize: 6, lostEvents: 3 }]);
  t.equal(found.root, log.root(7).toString('hex'));
  t.match(found.lost, [/ledger 201 .* 9 events, but a restore kept only the first 6/]);
});

test('checkpoints that an auditor kept are compared with the log', async (t) => {
  const { audit, keep, folder } = await auditorOf(t);
  const log = write(12);
  const early = await keep('early', noteOf(memoOf(log, 3)));
  const late = await keep('late', noteOf(memoOf(log, 12)));
  const empty = await keep('empty', noteOf(memoOf(log, 0)));
  const vkey = readLogKey(noteSigner(originOf({ name: logName(logId), epoch: 1 }), seed).vkey);
  const trusted = vkey === null ? [] : [vkey];
  t.match(await audit(log, { files: [early, late, empty], trusted }), {
    faults: [],
    compared: { onLedger: 0, inFiles: 3 },
  });
  const files = [early, late];
  t.match(await audit(write(11), { files }), {
    faults: [],
    unchecked: [
      /^events position 12: the export ends at event 11, but checkpoints cover event 12 too/,
    ],
  });
  const otherRoot = await keep('other', noteOf({ ...memoOf(log, 3), rootHash: 'ab'.repeat(32) }));
  t.match((await audit(log, { files: [otherRoot] })).faults, [
    /root of the first 3 events differs/,
  ]);
  const foreign = await keep(
    'foreign',
    noteOf(memoOf(log, 3, originOf({ name: logName(otherId), epoch: 1 }))),
  );
  t.match((await audit(log, { files: [foreign] })).faults, [/the checkpoint belongs to proofmark/]);
  const unsigned = await keep('unsigned', noteOf(memoOf(log, 3), Buffer.alloc(32, 8)));
  t.match((await audit(log, { files: [unsigned], trusted })).faults, [
    /not signed with a known key/,
  ]);
  const page = await keep('page', '<html>');
  t.match((await audit(log, { files: [page] })).faults, [/the file is not a checkpoint/]);
  const gone = await audit(log, { files: [join(folder, 'gone')] });
  t.match(gone, { faults: [], unchecked: [/gone: .*(no such file|ENOENT)/i] });
});

test('every restore is told, also one whose record a later restore has lost', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(5);
  const third = {
    origin: originOf({ name: logName(logId), epoch: 3 }),
    size: 20,
    rootHash: 'ab'.repeat(32),
  };
  const kept = { keptSize: 5, keptRootHash: log.root(5).toString('hex') };
  log.append(stream, 'LogRestored', { epoch: 4, ...kept, published: third, anchored: null });
  const { restores = [], faults } = await audit(log, {});
  t.strictSame(faults, []);
  t.strictSame(restores.map(restoreInWords), [
    'epoch 2 and the event that records its restore are lost',
    'epoch 3 and the event that records its restore are lost',
    'the restore at position 6 began epoch 4 with the first 5 events. At least 15 later events are lost',
  ]);
});

test('a restore that names those before it tells what each of them lost', async (t) => {
  const { audit } = await auditorOf(t);
  const before = write(30);
  const log = write(5);
  const ofEpoch = (size: number, epoch: number) =>
    memoOf(before, size, originOf({ name: logName(logId), epoch }));
  const [first, second] = [ofEpoch(20, 1), ofEpoch(17, 2)];
  const named = { epoch: 2, keptSize: null, published: first, anchored: null };
  const kept = { keptSize: 5, keptRootHash: log.root(5).toString('hex') };
  const restored = { epoch: 3, ...kept, published: second, anchored: null, reached: null };
  log.append(stream, 'LogRestored', { ...restored, earlier: [named] }, null, 3);
  // Anchored by the first two epochs, and lost with them.
  const asked = serverWith([sent(ofEpoch(19, 1), 0), sent(first, 1), sent(second, 2)]);
  const found = await audit(log, { asked });
  t.strictSame(found.faults, []);
  t.equal(found.lost.length, 3);
  t.strictSame((found.restores ?? []).map(restoreInWords), [
    'epoch 2 and the event that records its restore are lost. At least 15 events of the epoch before it are lost',
    'the restore at position 6 began epoch 3 with the first 5 events. At least 12 later events are lost',
  ]);
  const beyond = await audit(log, { asked: serverWith([sent(ofEpoch(21, 1), 0)]) });
  t.match(beyond.faults, [/covers 21 events, .* does not name this checkpoint as lost$/]);
});

test('a restore that names an earlier one otherwise than its own event is a fault', async (t) => {
  const { audit } = await auditorOf(t);
  const lost = memoOf(write(30), 20);
  const onLedger = { ...lost, network: 'testnet', transactionHash: 'AB', ledgerIndex: 7 };
  const audited = async (earlier: readonly unknown[] | undefined, schema = 3) => {
    const log = write(5);
    const kept = (size: number) => {
      return { keptSize: size, keptRootHash: log.root(size).toString('hex') };
    };
    const first = { ...kept(5), published: lost, anchored: onLedger, reached: null };
    log.append(stream, 'LogRestored', { epoch: 2, ...first }, null, 2);
    log.append(stream, 'LogReconciled', { epoch: 2, recovered: 0, lost: 0 });
    const data = { epoch: 3, ...kept(7), published: null, anchored: null, reached: null };
    const second = earlier === undefined ? data : { ...data, earlier };
    log.append(stream, 'LogRestored', second, null, schema);
    return (await audit(log, {})).faults;
  };
  const second = { epoch: 2, keptSize: 5, published: lost, anchored: lost };
  t.strictSame(await audited([second]), []);
  t.strictSame(await audited(undefined, 2), [], 'events of earlier releases name none');
  const fault =
    'references position 8 (data): earlier: the restore that began epoch 2 is not named as the event at position 6 records it';
  for (const earlier of [
    undefined,
    [],
    ['x'],
    [{ ...second, keptSize: 4 }],
    [{ ...second, published: { ...lost, size: 21 } }],
    [{ ...second, published: null }],
    [{ ...second, anchored: { ...lost, rootHash: 'cd'.repeat(32) } }],
  ]) {
    t.strictSame(await audited(earlier), [fault]);
  }
  t.match(await audited([{ ...second, epoch: 1 }]), [
    fault,
    /earlier: restores are named that were not before epoch 3: 1$/,
  ]);
  t.match(await audited([second, { ...second, epoch: 3 }]), [
    /earlier: restores are named that were not before epoch 3: 3$/,
  ]);
  t.match(await audited([second, second]), [/earlier: a restore is named twice$/]);
});

test('a restore must also name the restores whose own events are lost', async (t) => {
  const { audit } = await auditorOf(t);
  const before = write(30);
  const ofEpoch = (epoch: number) => memoOf(before, 20, originOf({ name: logName(logId), epoch }));
  const lost = (epoch: number, published: CheckpointMemo | null = null) => {
    return { epoch, keptSize: null, published, anchored: null };
  };
  const audited = async (...restores: readonly (readonly [number, readonly object[]])[]) => {
    const log = write(5);
    for (const [epoch, earlier] of restores) {
      const size = log.rows.length;
      const kept = { keptSize: size, keptRootHash: log.root(size).toString('hex') };
      const nothing = { published: null, anchored: null, reached: null };
      log.append(stream, 'LogRestored', { epoch, ...kept, ...nothing, earlier }, null, 3);
      log.append(stream, 'LogReconciled', { epoch, recovered: 0, lost: 0 });
    }
    return (await audit(log, {})).faults;
  };
  const [second, third] = [lost(2, ofEpoch(1)), lost(3)];
  const fourth = { epoch: 4, keptSize: 5, published: null, anchored: null };
  t.strictSame(await audited([4, [second, third]], [5, [second, third, fourth]]), []);
  t.match(await audited([4, [third]]), [
    /^references position 6 \(data\): earlier: the restores that began these epochs are not named: 2$/,
  ]);
  t.match(await audited([20, []]), [/not named: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more$/]);
  t.match(await audited([4, [second, third]], [5, [lost(2), third, fourth]]), [
    /^references position 8 \(data\): .* epoch 2 is not named as the event at position 6 records it$/,
  ]);
  for (const wrong of [lost(3, ofEpoch(1)), { ...third, keptSize: 5 }]) {
    t.match(await audited([4, [second, wrong]]), [
      /epoch 3 is named with more than is known of a lost epoch$/,
    ]);
  }
});

test('an export that is older than the published checkpoint is compared with its tree', async (t) => {
  const { audit } = await auditorOf(t);
  const [log, older] = [write(700), write(500)];
  const published = publishedOf(log);
  const between = sent(memoOf(log, 650), 0);
  const ends =
    /^events position 501: the export ends at event 500, but checkpoints cover events 501 to 700 too\./;
  const sound = await audit(older, { published, asked: serverWith([between]) });
  t.strictSame(sound.faults, []);
  t.match(sound.unchecked, [ends]);
  t.equal(sound.unchecked.length, 1);
  t.equal(sound.root, older.root().toString('hex'), 'the root is that of the export');

  const forged = sent({ ...memoOf(log, 650), rootHash: 'ab'.repeat(32) }, 0);
  t.match((await audit(older, { published, asked: serverWith([forged]) })).faults, [
    /root of the first 650 events differs/,
  ]);
  const another = publishedOf(log, { ...memoOf(log, 700), rootHash: 'ab'.repeat(32) });
  t.match((await audit(older, { published: another })).faults, [
    /the published checkpoint: the root of the first 700 events differs/,
  ]);
  const changed = write(500);
  changed.rewrite('AccountRetired', { account: 'r0' });
  t.match((await audit(changed, { published })).faults, [/^events position 500 /]);
  published.tiles.delete('tile/0/002.p/188');
  const torn = await audit(older, { published });
  t.match(torn.faults, [/^tiles: tile\/0\/002\.p\/188: the tile is missing$/], 'no other root');
});

test('an export that is older than a restore leaves the checkpoints of later epochs unchecked', async (t) => {
  const { audit } = await auditorOf(t);
  const log = write(6);
  const kept = { keptSize: 6, keptRootHash: log.root(6).toString('hex') };
  log.append(stream, 'LogRestored', { epoch: 2, ...kept, published: null, anchored: null });
  log.append(stream, 'LogReconciled', { epoch: 2, recovered: 0, lost: 0 });
  log.append('account-test-x', 'AccountRetired', { ledgerId: 'test', account: 'r0' });
  const second = originOf({ name: logName(logId), epoch: 2 });
  const published = publishedOf(log, memoOf(log, 9, second));
  const asked = serverWith([sent(memoOf(log, 8, second), 0), sent(memoOf(log, 9, second), 1)]);
  t.match(await audit(log, { published, asked }), { faults: [], unchecked: [] });
  // The second one was exported before the restore lost its last events.
  for (const older of [write(6), write(12)]) {
    const { faults, unchecked } = await audit(older, { published, asked });
    t.strictSame(faults, []);
    t.strictSame(unchecked, [
      `checkpoints: the checkpoints of ${second}: the restore that began this epoch is after event ${older.rows.length}, with which the export ends. Run audit export again to compare them`,
    ]);
  }
  const foreign = originOf({ name: logName(otherId), epoch: 2 });
  const another = publishedOf(log, memoOf(log, 9, foreign));
  t.match((await audit(write(6), { published: another })).faults, [/the checkpoint belongs to/]);
});
