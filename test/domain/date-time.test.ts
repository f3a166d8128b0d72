import { test } from 'tap';
import { canonicalDateTime, canonicalInstant } from '../../src/domain/date-time.ts';

test('orders moments by time, to the nanosecond', async (t) => {
  const rows: [string, string][] = [
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000000000Z'],
    ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100000000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
    ['2026-01-01T00:00:59.999999999+01:00', '2025-12-31T23:00:59.999999999Z'],
    ['2024-02-29T23:59:59-00:30', '2024-03-01T00:29:59.000000000Z'],
    ['2026-01-01T01:30:00.5+0130', '2026-01-01T00:00:00.500000000Z'],
    ['2026-01-01T00:00-05', '2026-01-01T05:00:00.000000000Z'],
  ];
  for (const [text, expected] of rows) t.equal(canonicalInstant(text), expected);
});

test('refuses anything but a date-time with time zone', async (t) => {
  const none = ['', 'now', '2026', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z'];
  none.push('2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '1767225600');
  none.push('2026-01-01T00:00:00.Z', '2026-01-01T00:00:00.1234567890Z', '2026-01-01T00:00:00Z\n');
  none.push('+012026-01-01T00:00:00Z', '0000-01-01T00:00:00+01:00', '2026-W01-1T00:00:00Z');
  none.push(
    '2026-01-01T00:00:00+1',
    '2026-01-01T00:00:00+013',
    '2026-01-01T00:00:00+01:',
    '2026-01-01T00:00:00+2400',
  );
  none.push('2026-01-01T00:00:00+01:60', '2026-01-01T00:00:00 01:00', '2026-01-01T00:00:00Z+01:00');
  for (const text of none) {
    t.equal(canonicalDateTime(text), null, text);
    t.equal(canonicalInstant(text), null, text);
  }
});
