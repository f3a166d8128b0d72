import { Writable } from 'node:stream';
import { test } from 'tap';
import { openProgressLine } from '../../../ops/terminal/progress-line.ts';

function open(isTTY: boolean, { columns = 200, isSingle = false } = {}) {
  let written = '';
  const write = (chunk: Buffer, _: string, done: () => void) => {
    written += chunk;
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY, columns });
  let at = 0;
  const line = openProgressLine('events', { stream, now: () => at, isSingle });
  const update = (label: string, done: number, total: number | null, ms: number, unit?: string) => {
    at += ms;
    line.update(label, done, total, unit);
  };
  const shown = () => {
    const shownNow = written;
    written = '';
    return shownNow;
  };
  return { line, update, shown };
}

test('a terminal shows one line with bar, rate and time left, redrawn in place', async (t) => {
  const { line, update, shown } = open(true);
  update('documents', 0, 100_000, 0);
  update('documents', 20_000, 100_000, 1_000);
  update('documents', 20_500, 100_000, 20);
  t.equal(
    shown(),
    '\rdocuments [........................] 0 %, 0 of 100,000 events\u001b[K' +
      '\rdocuments [#####...................] 20 %, 20,000 of 100,000 events, 20,000/s, 4 s left\u001b[K',
    'not redrawn after 20 ms',
  );
  update('documents', 100_000, 100_000, 4_000);
  line.say('documents: making indexes');
  line.end();
  t.equal(
    shown(),
    '\rdocuments [########################] 100 %, 100,000 of 100,000 events, 19,920/s\u001b[K' +
      '\ndocuments: making indexes\n',
  );
});

test('a narrow terminal shows a narrower bar or none', async (t) => {
  for (const [columns, bar] of [
    [60, '[##..............] '],
    [45, ''],
  ] as const) {
    const { update, shown } = open(true, { columns });
    update('documents', 15_000, 100_000, 0);
    const text = `documents ${bar}15 %, 15,000 of 100,000 events`;
    t.equal(shown(), `\r${text}\u001b[K`);
    t.ok(text.length < columns);
  }
});

test('counts are printed at intervals if the total is unknown', async (t) => {
  const { update, shown } = open(false);
  update('verifying', 1, null, 0);
  update('verifying', 1_000, null, 4_000);
  t.equal(shown(), '', 'nothing for a short run');
  update('verifying', 2_000, null, 1_000);
  t.match(shown(), /^verifying 2,000 events, \d+\/s\n$/);
  update('verifying', 2_001, null, 1_000);
  t.equal(shown(), '');
});

test('without a terminal plain lines are printed at intervals', async (t) => {
  const { line, update, shown } = open(false);
  for (let n = 0; n <= 100; n += 1) update('documents', n * 1_000, 100_000, 100);
  update('documents', 100_000, 100_000, 100);
  update('access', 0, 0, 100);
  line.end();
  t.strictSame(shown().split('\n'), [
    'documents 0 %, 0 of 100,000 events',
    'documents 50 %, 50,000 of 100,000 events, 10,000/s, 5 s left',
    'documents 100 %, 100,000 of 100,000 events, 10,000/s',
    'access 100 %, 0 of 0 events',
    '',
  ]);
});

test('the time left is shown in minutes and hours, and not while the work stands still', async (t) => {
  const { update, shown } = open(false);
  update('a', 0, 1_000_000, 0);
  update('a', 1_000, 1_000_000, 6_000);
  t.match(shown(), /167\/s, 1 h 39 min left/);
  update('b', 0, 10_000, 0);
  update('b', 1_000, 10_000, 10_000);
  t.match(shown(), /100\/s, 1 min 30 s left/);
  update('c', 5, 10, 0);
  update('c', 5, 10, 6_000);
  t.match(shown(), /5 of 10 events, 0\/s\n$/);
});

test('a single line is rewritten for every label, and ends once', async (t) => {
  const { line, update, shown } = open(true, { isSingle: true });
  update('verifying', 500, 1_000, 0);
  update('verifying', 1_000, 1_000, 200);
  update('folding', 100, 2_000, 10);
  update('reading', 1, null, 10, 'files');
  update('reading', 2, null, 150, 'files');
  line.end();
  line.end();
  const bar = (filled: number) => `[${'#'.repeat(filled)}${'.'.repeat(24 - filled)}]`;
  t.strictSame(shown().split('\u001b[K'), [
    `\rverifying ${bar(12)} 50 %, 500 of 1,000 events`,
    `\rverifying ${bar(24)} 100 %, 1,000 of 1,000 events, 2,500/s`,
    `\rfolding ${bar(1)} 5 %, 100 of 2,000 events`,
    '\rreading 2 files',
    '\n',
  ]);
});

test('a single line without a terminal is printed at intervals alone', async (t) => {
  const { line, update, shown } = open(false, { isSingle: true });
  for (let n = 1; n <= 20; n += 1) update(`part ${n}`, 10, 10, 200);
  t.equal(shown(), '', 'nothing for a short run, whatever its parts');
  for (let n = 0; n <= 100; n += 1) update('verifying', n, 100, 200);
  line.end();
  t.strictSame(
    shown()
      .split('\n')
      .map((text) => text.replace(/ \d+ %.*/, '')),
    ['verifying', 'verifying', 'verifying', 'verifying', ''],
  );
});
