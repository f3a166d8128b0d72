import { test } from 'tap';
import { RecordedTimes } from '../../../../ops/audit/streams/recorded-times.ts';
import type { EventRow } from '../../../../src/event-store/stored-event.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const now = Date.parse('2030-06-30T12:00:00.000Z');

function reasonsFor(...events: readonly (readonly [string, string, object?])[]) {
  const log = new WrittenLog();
  const times = new RecordedTimes(now, new Set([2]));
  return events.flatMap(([recorded_at, type, data = {}]) => {
    log.append('some-stream', type, data);
    const [row] = log.rows.slice(-1) as [EventRow];
    const wrong = times.reasonAgainst({ ...row, recorded_at });
    return wrong === null ? [] : [`${wrong.position - 1}: ${wrong.what}`];
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
      '3: the time is 19 days before the close of the ledger in the earlier event 2',
      '5: the time is in the future',
    ],
  );
  t.strictSame(
    reasonsFor(
      ['2030-06-01T00:00:00.000Z', 'PlanChanged'],
      ['2030-06-20T00:00:00.000Z', 'PlanChanged'],
      ['2030-06-01T00:00:01.000Z', 'PlanChanged'],
      ['2030-06-01T00:00:02.000Z', 'PlanChanged'],
      ['2030-05-01T00:00:03.000Z', 'PlanChanged'],
      ['2030-05-01T00:00:04.000Z', 'PlanChanged'],
    ),
    [
      '1: the time is 19 days after that of the next event',
      '4: the time is 31 days before that of the previous event',
    ],
    'one fault for each, at the event that differs from its neighbours',
  );
  t.strictSame(
    reasonsFor(
      ['2030-06-01T00:00:00.000Z', 'PlanChanged'],
      ['2030-06-25T00:00:00.000Z', 'PlanChanged'],
      ['2030-06-25T00:00:00.000Z', 'CheckpointAnchored', { ...closed, size: 2 }],
    ),
    [
      '1: the time is 5 days after the close of the ledger that contains a checkpoint of the event, as event 3 records',
    ],
  );
  t.strictSame(reasonsFor(['yesterday', 'Anchored', closed]), [], 'reported elsewhere');
});
