import { test } from 'tap';
import { RecordedTimes } from '../../../ops/audit/recorded-times.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { WrittenLog } from '../../support/written-log.ts';

const now = Date.parse('2030-06-30T12:00:00.000Z');

function reasonsFor(...events: readonly (readonly [string, string, object?])[]) {
  const log = new WrittenLog();
  const times = new RecordedTimes(now);
  return events.flatMap(([recorded_at, type, data = {}], index) => {
    log.append('some-stream', type, data);
    const [row] = log.rows.slice(-1) as [EventRow];
    return times.reasonsAgainst({ ...row, recorded_at }).map((reason) => `${index}: ${reason}`);
  });
}

test('an event recorded before its ledger closed, or out of order, is a fault', async (t) => {
  const closed = { closeTimeIso: '2030-06-20T00:00:00.000Z' };
  t.strictSame(
    reasonsFor(
      ['2030-05-20T00:00:00.000Z', 'Anchored', closed],
      ['2030-06-20T00:00:01.000Z', 'CheckpointAnchored', closed],
      ['2030-06-19T12:00:00.000Z', 'Anchored', closed],
      ['2030-06-01T12:00:00.000Z', 'PlanChanged'],
      ['2030-06-20T00:00:00.000Z', 'PlanChanged', closed],
      ['2030-07-20T00:00:00.000Z', 'PlanChanged'],
      ['2030-06-20T00:00:00.000Z', 'Anchored', {}],
    ),
    [
      '0: the time is 31 days before the close of the ledger in the event',
      '3: the time is 18 days before that of the previous event',
      '5: the time is in the future',
      '6: the time is 30 days before that of the previous event',
    ],
  );
  t.strictSame(reasonsFor(['yesterday', 'Anchored', closed]), [], 'reported elsewhere');
});
