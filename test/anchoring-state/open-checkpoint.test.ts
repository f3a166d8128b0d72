import { test } from 'tap';
import { OpenCheckpoint } from '../../src/anchoring-state/open-checkpoint.ts';
import type { SignedTransaction } from '../../src/domain/ledger/transaction.ts';
import type { LogEvent } from '../../src/domain/log/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { LogReading } from '../../src/loading/load-log.ts';

const logId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const memo = { origin: `proofmark/${logId}`, size: 12, rootHash: 'ab'.repeat(32) };
const hash = 'A1'.repeat(32);
const prepared = {
  ...{ ledgerId: '1-AA', transactionHash: hash, blob: '12', sequence: 7, feeDrops: 10 },
  ...{ account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', minLedger: 100, lastLedgerSequence: 108 },
  replaces: null,
};
const place = {
  ...{ ledgerId: '1-AA', transactionHash: hash, ledgerIndex: 104, ledgerHash: 'CC', closeTime: 1 },
  ...{ closeTimeIso: '2000-01-01T00:00:01.000Z', transactionIndex: 0, metadata: 'AA' },
  ledgerHeader: 'BB',
};
const opened: LogEvent = {
  type: 'LogOpened',
  data: { logId, leafVersion: 1, origin: `proofmark/${logId}` },
};
const newest: readonly LogEvent[] = [
  { type: 'CheckpointRequested', data: { ...memo, reason: 'interval' } },
  { type: 'CheckpointPrepared', data: prepared },
  { type: 'CheckpointAnchored', data: { ...memo, ...place } },
  { type: 'CheckpointRequested', data: { ...memo, size: 13, reason: 'interval' } },
];

const stored = (event: LogEvent, version: number) =>
  ({
    ...{ ...event, version, eventId: `e${version}` },
    recordedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as StoredEvent<LogEvent>;

test('a log too long to be read whole still tells what its account has used', async (t) => {
  const applied: SignedTransaction[] = [];
  const open = new OpenCheckpoint((signed) => applied.push(signed));
  const store = {
    readLog: async () => [stored(opened, 1)],
    readNewest: async () => newest.map((event, at) => stored(event, 301 + at)),
    readStream: async () => t.fail('the newest events are enough'),
  } as unknown as LogReading;
  await open.read(store);
  t.match(applied, [{ transactionHash: hash, sequence: 7 }]);
  t.match(open.log, {
    version: 304,
    causeId: 'e304',
    state: { checkpoint: { status: 'pending' } },
  });
  await open.read(store);
  t.equal(applied.length, 1, 'events that were folded are passed over');
});
