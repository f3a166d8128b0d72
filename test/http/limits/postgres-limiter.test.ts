import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { type Test, test } from 'tap';
import { createPostgresLimiter } from '../../../src/http/limits/postgres-limiter.ts';
import type { Limits, Quota } from '../../../src/http/limits/quota.ts';
import {
  type CallVerdict,
  type RequestLimiter,
  retryAfterSeconds,
  type Weight,
} from '../../../src/http/limits/request-limiter.ts';
import { query } from '../../embedded/run-service.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openLimiter } from '../../support/http-backend.ts';
import { until } from '../../support/until.ts';

const few: Limits = { perMinute: 3, perDay: 5 };

const quotas = (subject: string, limits: Limits = few): readonly [Quota] => [
  { subject, limits, of: 'caller' },
];

const take = (limiter: RequestLimiter, limits = few, subject = 'a') =>
  takeAll(limiter, quotas(subject, limits));

async function takeAll(
  limiter: RequestLimiter,
  quotas: readonly Quota[],
  weight?: Weight,
): Promise<CallVerdict> {
  const verdict = await limiter.take(quotas, weight);
  if (verdict === null) throw new Error('it could not be found out');
  return verdict;
}

const remaining = ({ windows }: CallVerdict) => windows.map((window) => window.remaining);

/** Moves all counts into the past. */
const age = (url: string, minuteMs: number, dayMs: number) =>
  query(
    url,
    `UPDATE request_counts
     SET minute_from = minute_from - ${minuteMs}, day_from = day_from - ${dayMs}`,
  );

/** A limiter without remembered refusals, as in another process. */
const another = async (t: Test, url: string) => openLimiter(t, url);

test('exactly as many calls as the limits say are allowed, and a refused call counts in no window', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  t.match(await limiter.look(quotas('a', few)), { allowed: true });
  for (const left of [2, 1, 0]) {
    const verdict = await take(limiter);
    t.strictSame([verdict.allowed, ...remaining(verdict)], [true, left, left + 2]);
  }
  const strangers = await another(t, url);
  for (const each of [limiter, strangers, limiter, strangers]) {
    const verdict = await take(each);
    t.strictSame([verdict.allowed, ...remaining(verdict)], [false, 0, 2]);
    t.ok(retryAfterSeconds(verdict) >= 1 && retryAfterSeconds(verdict) <= 60);
  }
  t.match(await take(limiter, few, 'b'), { allowed: true }, 'each subject has its own limits');
  await age(url, 60_000, 60_000);
  const later = await another(t, url);
  t.strictSame(remaining(await take(later)), [2, 1], 'the day continues after the minute');
  t.strictSame(remaining(await take(later)), [1, 0]);
  const over = await take(later);
  t.strictSame([over.allowed, ...remaining(over)], [false, 1, 0]);
  t.ok(retryAfterSeconds(over) > 86_000, 'the longer of the refusing windows');
  await age(url, 0, 86_400_000);
  t.strictSame(remaining(await take(await another(t, url))), [0, 4]);
});

test('after Retry-After the call succeeds, in any process', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, other] = [openLimiter(t, url), openLimiter(t, url)];
  // Opens the connections, which takes a part of the minute otherwise.
  await Promise.all([take(one, few, 'b'), take(other, few, 'b')]);
  for (let i = 0; i < 3; i += 1) await take(one);
  await age(url, 55_000, 0);
  // Both limiters remember the refusal from now on.
  const [said] = await Promise.all([take(one), take(other)]);
  t.equal(said.allowed, false);
  const seconds = retryAfterSeconds(said);
  t.ok(seconds >= 1 && seconds <= 5, `${seconds} s`);
  await delay(seconds * 1_000);
  t.strictSame(remaining(await take(other)), [2, 1]);
  t.equal((await take(one)).allowed, true);
});

test('concurrent calls are counted like sequential ones', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  const limits = { perMinute: 50, perDay: 40 };
  const verdicts = await Promise.all(
    Array.from({ length: 60 }, (_, i) => take(limiter, limits, i % 2 ? 'odd' : 'even')),
  );
  t.ok(verdicts.every(({ allowed }) => allowed));
  t.strictSame(
    verdicts.filter((_, i) => i % 2).map((verdict) => remaining(verdict)[0]),
    Array.from({ length: 30 }, (_, i) => 49 - i),
  );
  const [look, ...more] = await Promise.all([
    limiter.look(quotas('odd', limits)),
    ...Array.from({ length: 15 }, () => take(limiter, limits, 'odd')),
    limiter.look(quotas('odd', limits)),
  ]);
  t.match(look, { allowed: true });
  t.equal(more.filter((verdict) => verdict?.allowed).length, 10);
  t.match(more.at(-1), { allowed: false, windows: [{ remaining: 10 }, { remaining: 0 }] });
});

/** A key with six a minute, in an organisation with ten. */
const ofKey = (subject: string): readonly Quota[] => [
  ...quotas(subject, { perMinute: 6, perDay: 100 }),
  { subject: 'all', limits: { perMinute: 10, perDay: 12 }, of: 'organisation' },
];

test('a call counts in all windows of key and organisation, or in none', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  const verdicts = await Promise.all(
    Array.from({ length: 16 }, (_, n) => takeAll(limiter, ofKey(n % 2 ? 'odd' : 'even'))),
  );
  t.strictSame(
    verdicts.map(({ allowed }) => allowed),
    Array.from({ length: 16 }, (_, n) => n < 10),
  );
  t.strictSame(
    verdicts[9]?.windows.map(({ name, remaining }) => [name, remaining]),
    [
      ['minute', 1],
      ['day', 95],
      ['organisation-minute', 0],
      ['organisation-day', 2],
    ],
  );
  const strangers = await another(t, url);
  for (const key of ['even', 'third']) {
    const refused = await takeAll(strangers, ofKey(key));
    t.equal(refused.allowed, false, key);
    t.ok(retryAfterSeconds(refused) <= 60);
  }
  t.strictSame(
    await query(url, 'SELECT subject, minute_used FROM request_counts ORDER BY subject'),
    [
      { subject: 'all', minute_used: '10' },
      { subject: 'even', minute_used: '5' },
      { subject: 'odd', minute_used: '5' },
      { subject: 'third', minute_used: '0' },
    ],
  );
  await age(url, 60_000, 60_000);
  const later = await another(t, url);
  t.strictSame(remaining(await takeAll(later, ofKey('third'))), [5, 99, 9, 1]);
  const last = await Promise.all(['even', 'odd'].map((key) => takeAll(later, ofKey(key))));
  t.strictSame(
    last.map(({ allowed }) => allowed),
    [true, false],
  );
  t.ok(retryAfterSeconds(last[1] as CallVerdict) > 86_000, "the organisation's day window refuses");
});

test('a call counts its cost, and one above a limit takes the whole limit', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  const costs = (cost: number, key = 'a') => takeAll(limiter, ofKey(key), { cost });
  t.strictSame(remaining(await costs(4)), [2, 96, 6, 8]);
  const refused = await costs(3);
  t.strictSame([refused.allowed, ...remaining(refused)], [false, 2, 96, 6, 8]);
  const { windows } = refused;
  t.strictSame(
    windows.filter(({ refuses }) => refuses).map(({ name }) => name),
    ['minute'],
  );
  t.equal((await costs(4)).allowed, false, 'the refusal is remembered');
  t.strictSame(remaining(await costs(2)), [0, 94, 4, 6], 'a cheaper call is allowed');
  const [dear, cheap] = await Promise.all([costs(5, 'b'), costs(1, 'b')]);
  t.strictSame([dear.allowed, cheap.allowed], [false, true], 'also in one statement');
  await age(url, 60_000, 60_000);
  const fresh = await another(t, url);
  const beyond = await takeAll(fresh, ofKey('c'), { cost: 5_000 });
  t.strictSame(
    [beyond.allowed, ...remaining(beyond)],
    [false, 6, 100, 10, 5],
    'the day window is partly used',
  );
  await age(url, 60_000, 86_400_000);
  const whole = await takeAll(await another(t, url), ofKey('c'), { cost: 5_000 });
  t.strictSame([whole.allowed, ...remaining(whole)], [true, 0, 0, 0, 0]);
});

test('when a call turns out to cost more, the part already counted is not counted again', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  await takeAll(limiter, ofKey('a'));
  const raised = await takeAll(limiter, ofKey('a'), { cost: 5, paid: 1 });
  t.strictSame([raised.allowed, ...remaining(raised)], [true, 1, 95, 5, 7]);
  await takeAll(limiter, ofKey('a'));
  const refused = await takeAll(limiter, ofKey('a'), { cost: 5, paid: 1 });
  t.strictSame([refused.allowed, ...remaining(refused)], [false, 0, 94, 4, 6]);
  await takeAll(limiter, quotas('single', { perMinute: 1, perDay: 1 }));
  const single = quotas('single', { perMinute: 1, perDay: 1 });
  t.match(await takeAll(limiter, single, { cost: 5, paid: 1 }), { allowed: true });
});

test('changed limits apply at once, even after a refusal', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  for (let i = 0; i < 3; i += 1) await take(limiter);
  t.equal((await take(limiter)).allowed, false);
  const [raised, refused] = await Promise.all([
    take(limiter, { perMinute: 4, perDay: null }),
    take(limiter),
  ]);
  t.strictSame([raised.allowed, ...remaining(raised)], [true, 0]);
  t.equal(refused.allowed, false);
  const lowered = await take(limiter, { perMinute: 2, perDay: 2 });
  t.strictSame([lowered.allowed, ...remaining(lowered)], [false, 0, 0]);
});

test('two racing processes allow exactly as many calls as the limits say', async (t) => {
  const { url } = await createTestDatabase(t);
  // Two keys of 60 a minute each, in an organisation with 90 a day.
  const [ofAKey, ofAll, sum] = [60, 90, 90];
  const racers = await Promise.all(
    [1, 2].map(async () => {
      const script = join(import.meta.dirname, '../../support/limit-racer.ts');
      const args = [script, url, '100', String(ofAKey), String(ofAll)];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      t.equal((await lines.next()).value, 'ready');
      return { child, lines };
    }),
  );
  for (const { child } of racers) child.stdin.end('go\n');
  const counts = await Promise.all(racers.map(async ({ lines }) => (await lines.next()).value));
  t.equal(
    counts.reduce((total, count) => total + Number(count), 0),
    sum,
    counts.join(' and '),
  );
  const rows = await query(
    url,
    "SELECT subject, minute_used, day_used FROM request_counts WHERE subject <> 'other' ORDER BY 1",
  );
  const [even, odd, organisation] = rows.map((row) => [
    Number(row.minute_used),
    Number(row.day_used),
  ]);
  t.strictSame(organisation, [sum, sum]);
  t.strictSame([even?.[0], odd?.[0]], [even?.[1], odd?.[1]]);
  t.equal(
    Number(even?.[0]) + Number(odd?.[0]),
    sum,
    'no key counts a call refused by its organisation',
  );
});

test('processes counting the same subjects in opposite orders do not deadlock', async (t) => {
  const { url } = await createTestDatabase(t);
  const names = Array.from({ length: 40 }, (_, n) => `subject ${n}`);
  const limits = { perMinute: 1_000_000, perDay: null };
  const call = async (order: readonly string[]) => {
    const limiter = openLimiter(t, url);
    for (let round = 0; round < 25; round += 1) {
      const verdicts = await Promise.all(order.map((name) => limiter.take(quotas(name, limits))));
      if (verdicts.includes(null)) return false;
    }
    return true;
  };
  const orders = [names, names.toReversed(), names, names.toReversed()];
  t.strictSame(await Promise.all(orders.map(call)), [true, true, true, true]);
  const rows = await query(url, 'SELECT DISTINCT minute_used FROM request_counts');
  t.strictSame(rows, [{ minute_used: '100' }]);
});

test('after the clock was set back a subject is refused for at most one window', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  for (let i = 0; i < 3; i += 1) await take(limiter);
  await age(url, -3_600_000, -3_600_000);
  t.strictSame(remaining(await take(await another(t, url))), [2, 4]);
});

test('expired counts are deleted, the others stay', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = createPostgresLimiter(url, {
    log: pino({ level: 'silent' }),
    timeoutMs: 60_000,
    forgetEveryMs: 20,
  });
  t.teardown(() => limiter.close());
  await take(limiter, { perMinute: 3, perDay: null }, 'address');
  await take(limiter, few, 'key of today');
  await take(limiter, few, 'key of yesterday');
  await age(url, 60_000, 60_000);
  await query(
    url,
    `UPDATE request_counts SET day_from = day_from - 86400000 WHERE subject LIKE '%yesterday'`,
  );
  await take(limiter, few, 'key of now');
  const left = () => query(url, 'SELECT subject FROM request_counts ORDER BY subject');
  await until('old counts are gone', async () => (await left()).length === 2);
  t.strictSame(await left(), [{ subject: 'key of now' }, { subject: 'key of today' }]);
});

test('while the database hangs or is missing, calls are not limited, and the log says so once', async (t) => {
  const { url } = await createTestDatabase(t);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const limiter = createPostgresLimiter(url, { log, timeoutMs: 300, restMs: 50 });
  t.teardown(() => limiter.close());
  await until('the limiter counts', () => limiter.take(quotas('a')));
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE request_counts IN ACCESS EXCLUSIVE MODE');
  lines.length = 0;
  for (let round = 0; round < 3; round += 1) {
    const calls = Array.from({ length: 20 }, (_, i) => limiter.take(quotas(`a${i}`)));
    t.ok((await Promise.all(calls)).every((verdict) => verdict === null));
    await delay(60);
  }
  t.equal(lines.filter((line) => /calls are accepted without limits/.test(line)).length, 1);
  t.match(lines.join(), /"level":40.*"passed":20/);
  const probe = limiter.take(quotas('probe')).then(() => 'who finds out');
  const other = limiter.take(quotas('other')).then(() => 'the others');
  t.equal(await Promise.race([probe, other]), 'the others', 'only one call waits for the database');
  await probe;
  await holder.query('ROLLBACK');
  await holder.end();
  await until('the limiter counts again', () => limiter.take(quotas('b')));
  t.match(lines.join(), /request limits are enforced again/);

  const silent = createServer((socket) => socket.on('error', () => {}));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as { port: number };
  const deaf = createPostgresLimiter(`postgres://a:b@127.0.0.1:${port}/c`, {
    log,
    timeoutMs: 100,
  });
  t.equal(await deaf.take(quotas('a')), null);
  await deaf.close();
  silent.close();
  await once(
    connect(port, '127.0.0.1').on('error', () => {}),
    'close',
  ).catch(() => {});
  const absent = createPostgresLimiter(`postgres://a:b@127.0.0.1:${port}/c`, { log });
  t.equal(await absent.take(quotas('a')), null);
  await absent.close();
});
