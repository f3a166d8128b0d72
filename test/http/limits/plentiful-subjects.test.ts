import pg from 'pg';
import { pino } from 'pino';
import { test } from 'tap';
import { PlentifulSubjects } from '../../../src/http/limits/plentiful-subjects.ts';
import { createPostgresLimiter } from '../../../src/http/limits/postgres-limiter.ts';
import type { Limits, RequestLimiter } from '../../../src/http/limits/request-limiter.ts';
import { query } from '../../embedded/run-service.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openLimiter } from '../../support/http-service.ts';
import { until } from '../../support/until.ts';

const plenty: Limits = { perMinute: 1_000_000, perDay: 2_000_000 };

/** Lets callers call one after the other until all calls are made; how many were let through. */
async function call(
  limiter: RequestLimiter,
  order: { readonly limits: Limits; readonly calls: number; readonly callers: number },
): Promise<number> {
  let [made, granted] = [0, 0];
  const caller = async () => {
    while (made < order.calls) {
      made += 1;
      if ((await limiter.take('a', order.limits))?.allowed) granted += 1;
    }
  };
  await Promise.all(Array.from({ length: order.callers }, caller));
  return granted;
}

const used = async (url: string) =>
  (await query(url, 'SELECT minute_used, day_used FROM request_counts'))[0];

test('calls of whom there is plenty left for do not wait, and all are counted', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiters = [openLimiter(t, url), openLimiter(t, url)] as const;
  const order = { limits: plenty, calls: 2_000, callers: 8 };
  const granted = await Promise.all(limiters.map((limiter) => call(limiter, order)));
  t.strictSame(granted, [2_000, 2_000]);
  await until('all are counted', async () => (await used(url))?.minute_used === '4000');
  t.strictSame(await used(url), { minute_used: '4000', day_used: '4000' });
});

test('a call of whom there is plenty left for does not wait for the database', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = createPostgresLimiter(url, { log: pino({ level: 'silent' }), timeoutMs: 1_000 });
  t.teardown(() => limiter.close());
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  t.teardown(() => holder.end());
  await until('it answers while nothing can be counted', async () => {
    await limiter.take('a', plenty);
    await holder.query('BEGIN; LOCK TABLE request_counts IN ACCESS EXCLUSIVE MODE');
    const verdict = await limiter.take('a', plenty);
    await holder.query('COMMIT');
    return verdict?.allowed;
  });
});

test('a limit of many calls is met too, by two processes at once', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiters = [openLimiter(t, url), openLimiter(t, url)] as const;
  const order = { limits: { perMinute: 9_000, perDay: 4_000 }, calls: 3_000, callers: 30 };
  const granted = await Promise.all(limiters.map((limiter) => call(limiter, order)));
  const sum = granted.reduce((one, other) => one + other);
  // These callers are faster than any, and a database may not get round to counting for long.
  t.ok(sum >= 4_000 && sum <= 4_000 * (1 + 2 / 16), granted.join(' and '));
  t.strictSame(await used(url), { minute_used: `${sum}`, day_used: `${sum}` });
});

test('what is still to be counted when the service ends is counted', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = createPostgresLimiter(url, { log: pino({ level: 'silent' }), timeoutMs: 60_000 });
  t.equal(await call(limiter, { limits: plenty, calls: 500, callers: 1 }), 500);
  await limiter.close();
  t.strictSame(await used(url), { minute_used: '500', day_used: '500' });
});

test('nobody has plenty who is near a limit, in a window that ends, or under other limits', async (t) => {
  const windows = (remaining: number, leftMs = 30_000) => [
    { name: 'minute', limit: plenty.perMinute, remaining, leftMs } as const,
  ];
  const known = (remaining: number, leftMs?: number, agoMs = 0, uncounted = 0) => {
    const subjects = new PlentifulSubjects();
    const at = performance.now() - agoMs;
    subjects.remember('a', plenty, windows(remaining, leftMs), { at, uncounted });
    return subjects;
  };
  t.match(known(200_000).spend('a', plenty), {
    allowed: true,
    windows: [{ name: 'minute', remaining: 199_999 }],
  });
  t.equal(known(1_000).spend('a', plenty), null, 'near the limit');
  t.equal(known(3_000, 30_000, 500).spend('a', plenty), null, 'others may have used it since');
  t.equal(known(200_000, 30_000, 0, 12_500).spend('a', plenty), null, 'a process has its share');
  t.equal(known(200_000, 400, 500).spend('a', plenty), null, 'the window is over');
  t.equal(known(200_000, 30_000, 1_500).spend('a', plenty), null, 'too long ago');
  const subjects = known(200_000);
  t.equal(subjects.spend('a', { ...plenty, perDay: 5 }), null, 'limits were changed');
  t.equal(subjects.spend('b', plenty), null, 'somebody else');
  const cleared = known(200_000);
  cleared.clear();
  t.equal(cleared.spend('a', plenty), null);
});
