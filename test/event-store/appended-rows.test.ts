import { test } from 'tap';
import { AppendedRows } from '../../src/event-store/appended-rows.ts';
import { encodeEvent } from '../../src/event-store/encode.ts';
import { marked } from '../support/marked-event.ts';
import { until } from '../support/until.ts';

const recordedAt = '2026-01-01T00:00:00.000Z';
const at = { organisationId: null, stream: 's', version: 1, meta: {}, keys: null, recordedAt };
const rowsOf = (...marks: readonly string[]) =>
  marks.map((mark) => encodeEvent({ ...at, event: marked(mark) }));

test('gives a stretch only if it has all of it', async (t) => {
  const rows = new AppendedRows();
  rows.add(5, rowsOf('a', 'b'), 0);
  rows.add(8, rowsOf('c'), 0);
  t.match(rows.stretch(4, 6), [{ position: 5 }, { position: 6 }]);
  t.match(rows.stretch(5, 6), [{ position: 6, bytes: rows.stretch(5, 6)?.[0]?.data?.length }]);
  t.strictSame(rows.stretch(6, 6), []);
  t.equal(rows.stretch(4, 8), null);
  rows.add(7, rowsOf('d'), 0);
  t.equal(rows.stretch(4, 8)?.length, 4);
  rows.forget(6);
  t.equal(rows.stretch(5, 8), null);
  t.equal(rows.stretch(6, 8)?.length, 2);
});

test('limits the rows by number, size and age', async (t) => {
  const few = new AppendedRows({ events: 2 });
  few.add(1, rowsOf('a', 'b', 'c'), 0);
  t.equal(few.stretch(0, 3), null);
  t.equal(few.stretch(1, 3)?.length, 2);
  const small = new AppendedRows({ bytes: 300 });
  small.add(1, rowsOf('a', 'x'.repeat(400), 'c'), 0);
  t.equal(small.stretch(1, 3), null);
  t.equal(small.stretch(2, 3)?.length, 1);
  const young = new AppendedRows({ ageMs: 10 });
  young.add(1, rowsOf('a'), 0);
  t.ok(young.isActive(10));
  t.notOk(young.isActive(11));
  young.add(2, rowsOf('b'), 11);
  t.equal(young.stretch(0, 2), null);
  t.equal(young.stretch(1, 2)?.length, 1);
});

test('drops the rows that nobody takes, without another append', async (t) => {
  const rows = new AppendedRows({ ageMs: 20 });
  rows.add(1, rowsOf('a'), performance.now());
  t.equal(rows.stretch(0, 1)?.length, 1);
  await until('the row is dropped', async () => rows.stretch(0, 1) === null);
});

test('the size of a row includes its metadata and the plain text of its encrypted fields', async (t) => {
  const keys = { dataKeyId: 'k', dataKey: Buffer.alloc(32), indexKey: Buffer.alloc(32) };
  const [row] = rowsOf('a');
  if (row === undefined) throw new Error('unreachable');
  for (const large of [
    { ...row, plain: { keys, text: 'x'.repeat(1_000) } },
    { ...row, meta: JSON.stringify({ requestId: 'x'.repeat(1_000) }) },
  ]) {
    const rows = new AppendedRows({ bytes: 1_000 });
    rows.add(1, [large, row], 0);
    t.equal(rows.stretch(0, 2), null);
    t.equal(rows.stretch(1, 2)?.length, 1);
    rows.forget(2);
    rows.add(3, [row, row], 0);
    t.equal(rows.stretch(2, 4)?.length, 2, 'the size of dropped rows is freed');
  }
});
