import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'tap';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { createTestStore } from '../support/event-store.ts';
import { markedEntry, marksInLog } from '../support/marked-event.ts';

async function race(url: string, stream: string, name: string, count: number) {
  const script = join(import.meta.dirname, '../support/append-racer.ts');
  const args = [script, url, stream, name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the racer ended with ${code}`);
  return JSON.parse(output) as { appended: Record<string, number>; conflicts: number };
}

test('two processes racing on one stream lose and duplicate no event', async (t) => {
  const { url, store } = await createTestStore(t);
  const count = 100;
  const racers = await Promise.all(['a', 'b'].map((name) => race(url, 'raced', name, count)));
  t.ok(
    racers.some(({ conflicts }) => conflicts > 0),
    'the processes conflicted',
  );
  const marks = await marksInLog(store);
  t.strictSame(
    marks.map(({ position }) => position),
    Array.from({ length: 4 * count }, (_, index) => index + 1),
    'positions are dense from 1',
  );
  const raced = marks.filter(({ stream }) => stream === 'raced');
  t.strictSame(
    raced.map(({ version }) => version),
    Array.from({ length: 2 * count }, (_, index) => index + 1),
    'versions are dense and in the order of the log',
  );
  const acknowledged = Object.assign({}, ...racers.map(({ appended }) => appended));
  t.strictSame(
    Object.fromEntries(raced.map(({ mark, position }) => [mark, position])),
    acknowledged,
  );
  for (const { mark, position } of raced) {
    const own = marks.find(({ stream }) => stream === `own-${mark}`);
    if (own?.position !== position + 1) t.fail(`events of ${mark} are not adjacent`);
  }
});

test('concurrent appends are written together, each with its own outcome', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('taken', 0, 'x')], {});
  const before = await transactions(pool);
  const outcomes = await Promise.allSettled([
    store.append([markedEntry('first', 0, 'a', 'b')], {}),
    store.append([markedEntry('taken', 0, 'c')], {}),
    store.append([markedEntry('second', 0, 'd')], {}),
    store.append([markedEntry('third', 0, 'e'), markedEntry('taken', 7, 'f')], {}),
    store.append([markedEntry('first', 2, 'g')], {}),
    store.append([markedEntry('first', 2, 'h')], {}),
    ...Array.from({ length: 200 }, (_, i) =>
      store.append([markedEntry(`s-${i}`, 0, `m-${i}`)], {}),
    ),
  ]);
  t.match(outcomes.slice(0, 6), [
    { status: 'fulfilled', value: { firstPosition: 2, lastPosition: 3 } },
    { reason: { conflicts: [{ stream: 'taken', expected: 0, actual: 1 }] } },
    { status: 'fulfilled' },
    { reason: { conflicts: [{ stream: 'taken', expected: 7, actual: 1 }] } },
    { status: 'fulfilled' },
    { reason: { conflicts: [{ stream: 'first', expected: 2, actual: 3 }] } },
  ]);
  t.ok(outcomes.slice(6).every(({ status }) => status === 'fulfilled'));
  const marks = await marksInLog(store);
  t.strictSame(
    marks.map(({ position }) => position),
    Array.from({ length: 205 }, (_, index) => index + 1),
    'refused appends left no gap',
  );
  t.notOk(
    marks.some(({ mark }) => ['c', 'e', 'f', 'h'].includes(mark)),
    'refused as a whole',
  );
  t.ok((await transactions(pool)) - before < 20, 'in few transactions');
});

async function transactions(pool: { query: (text: string) => Promise<{ rows: unknown[] }> }) {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `SELECT pg_stat_clear_snapshot(), xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()`,
  );
  return (rows[0] as { n: number }).n;
}

test('a conflict names every stream with another version', async (t) => {
  const { store } = await createTestStore(t);
  await store.append([markedEntry('one', 0, 'a', 'b'), markedEntry('two', 0, 'c')], {});
  const entries = [
    markedEntry('one', 1, 'd'),
    markedEntry('two', 1, 'e'),
    markedEntry('three', 4, 'f'),
  ];
  const error = await store.append(entries, {}).catch((reason: unknown) => reason);
  if (!(error instanceof VersionConflict)) throw error;
  t.strictSame(
    [...error.conflicts].sort((a, b) => a.stream.localeCompare(b.stream)),
    [
      { stream: 'one', expected: 1, actual: 2 },
      { stream: 'three', expected: 4, actual: 0 },
    ],
  );
  t.match(error.message, /one is at 2, expected 1/);
  t.equal(await store.head(), 3);
});

test('an append that cannot be written does not affect those written with it', async (t) => {
  const { store } = await createTestStore(t);
  const outcomes = await Promise.allSettled([
    store.append([markedEntry('lead', 0, 'lead')], {}),
    store.append([markedEntry('good', 0, 'a')], {}),
    store.append([markedEntry('no \0 in a text', 0, 'b')], {}),
    store.append([markedEntry('fine', 0, 'c')], {}),
  ]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  t.strictSame((await marksInLog(store)).map(({ mark }) => mark).sort(), ['a', 'c', 'lead']);
});

test('refuses an empty append and a stream named twice before writing', async (t) => {
  const { store } = await createTestStore(t);
  await t.rejects(store.append([markedEntry('empty', 0)], {}), /nothing to append/);
  const twice = [markedEntry('same', 0, 'a'), markedEntry('same', 1, 'b')];
  await t.rejects(store.append(twice, {}), /same/);
  t.equal(await store.head(), 0);
});
