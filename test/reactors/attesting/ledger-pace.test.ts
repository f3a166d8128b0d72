import { test } from 'tap';
import { LedgerPace } from '../../../src/reactors/attesting/ledger-pace.ts';

const ledger = {
  ...{ ledgerId: '1-A', ledgerIndex: 7, ledgerHash: 'AB', ledgerHeader: '', closeTime: 0 },
  since: '2026-01-01T00:00:00.000Z',
};
const recordedAt = Date.parse(ledger.since);

function pacing() {
  const time = { monotonic: 0, ofDay: recordedAt };
  const waits = { lateMs: 500, graceMs: 5_000, retryMs: 1_000, restMs: 2_000, turnMs: 30_000 };
  const pace = new LedgerPace(
    waits,
    () => time.monotonic,
    () => time.ofDay,
  );
  return { time, pace };
}

test('a ledger that no server has is tried once a second', (t) => {
  const { time, pace } = pacing();
  t.ok(pace.mayTry(ledger));
  time.monotonic = 999;
  t.notOk(pace.mayTry(ledger));
  time.monotonic = 1_000;
  t.ok(pace.mayTry(ledger));
  t.end();
});

test('a ledger is overdue after some seconds, whatever the time of day', (t) => {
  const { time, pace } = pacing();
  time.ofDay -= 3_600_000;
  t.notOk(pace.isOverdue(ledger));
  time.monotonic = 5_000;
  t.ok(pace.isOverdue(ledger));
  t.end();
});

test('a process that starts later does not wait again', (t) => {
  const { time, pace } = pacing();
  time.ofDay += 5_000;
  t.ok(pace.isOverdue(ledger));
  t.end();
});

test('a rest ends after some seconds', (t) => {
  const { time, pace } = pacing();
  t.notOk(pace.isResting());
  pace.rest();
  time.monotonic = 1_999;
  t.ok(pace.isResting());
  time.monotonic = 2_000;
  t.notOk(pace.isResting());
  t.end();
});
