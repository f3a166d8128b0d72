import fc from 'fast-check';
import { test } from 'tap';
import { retryAfter } from '../../src/webhooks/retry-after.ts';
import { pauseAfter } from '../../src/webhooks/retry-schedule.ts';

const seconds = (...of: number[]) => of.map((one) => one * 1_000);

test('the schedule is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', async (t) => {
  const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3_600);
  t.strictSame(
    Array.from({ length: 11 }, (_, before) => pauseAfter(before + 1, null, 0.5)),
    [...seconds(5, 300, 1_800, ...hours), null, null],
  );
});

test('spreads pauses over ±20 %', async (t) => {
  t.equal(pauseAfter(1, null, 0), 4_000);
  t.equal(pauseAfter(1, null, 0.999_999), 6_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (nth, random) => {
        const pause = pauseAfter(nth, null, random) ?? Number.NaN;
        const middle = pauseAfter(nth, null, 0.5) ?? Number.NaN;
        return pause >= middle * 0.8 && pause <= middle * 1.2;
      },
    ),
  );
});

test('waits as long as the receiver asks, and never less than scheduled', async (t) => {
  t.equal(pauseAfter(1, 60_000, 0.5), 60_000);
  t.equal(pauseAfter(2, 1_000, 0.5), 300_000);
  t.equal(pauseAfter(10, 1_000, 0.5), null);
});

test('Retry-After counts only for 429 and 503, in seconds or as a date, up to a day', async (t) => {
  const now = new Date('2026-11-21T08:00:00.000Z');
  const asked = (status: number | null, text?: string) => retryAfter(status, text, now);
  t.equal(asked(429, '30'), 30_000);
  t.equal(asked(503, ' 0 '), 0);
  t.equal(asked(503, 'Sat, 21 Nov 2026 08:10:00 GMT'), 600_000);
  t.equal(asked(503, 'Sat, 21 Nov 2026 07:10:00 GMT'), 0);
  t.equal(asked(429, '9999999999'), 86_400_000);
  for (const text of ['', 'soon', '-1', '1.5', '1e9', '2026-11-22', '99999999999999999999']) {
    t.equal(asked(429, text), null, text);
  }
  t.equal(asked(500, '30'), null);
  t.equal(asked(200, '30'), null);
  t.equal(asked(null, '30'), null);
  t.equal(asked(429), null);
});
