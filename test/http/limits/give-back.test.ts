import { test } from 'tap';
import type { Quota } from '../../../src/http/limits/quota.ts';
import type { CallVerdict, RequestLimiter } from '../../../src/http/limits/request-limiter.ts';
import { query } from '../../embedded/run-service.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openLimiter } from '../../support/http-backend.ts';

const itemsOf = (subject: string, perDay: number, of: Quota['of'] = 'caller'): Quota => {
  return { subject, limits: { perMinute: 1e15, perDay }, of, counts: 'items' };
};
const quotas = [itemsOf('key', 100), itemsOf('all', 150, 'organisation')];

async function takeItems(limiter: RequestLimiter, cost: number): Promise<CallVerdict> {
  const verdict = await limiter.take(quotas, { cost });
  if (verdict === null) throw new Error('it could not be found out');
  return verdict;
}

const remaining = (verdict: CallVerdict | null) => verdict?.windows.map((each) => each.remaining);

test('what is given back is left again, for every process at once', async (t) => {
  const { url } = await createTestDatabase(t);
  const [limiter, other] = [openLimiter(t, url), openLimiter(t, url)];
  const counted = await takeItems(limiter, 60);
  t.equal((await takeItems(limiter, 60)).allowed, false, 'a refusal, which is remembered');
  const given = await limiter.giveBack(quotas, counted, { cost: 60, paid: 20 });
  t.strictSame(remaining(given), [80, 130]);
  t.strictSame(remaining(await takeItems(limiter, 60)), [20, 70], 'the refusal is forgotten');
  t.strictSame(remaining(await takeItems(other, 20)), [0, 50]);
});

test('batches side by side never use more than the limit, however much is given back', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiters = [openLimiter(t, url), openLimiter(t, url)];
  let used = 0;
  const batches = Array.from({ length: 40 }, async (_, n) => {
    const limiter = limiters[n % 2] as RequestLimiter;
    const counted = await takeItems(limiter, 10);
    if (!counted.allowed) return;
    used += 3;
    await limiter.giveBack(quotas, counted, { cost: 10, paid: 3 });
  });
  await Promise.all(batches);
  const rows = await query(url, 'SELECT subject, day_used::int FROM request_counts ORDER BY 1');
  t.strictSame(rows, [
    { subject: 'all', day_used: used },
    { subject: 'key', day_used: used },
  ]);
});

test('a day that began later gives nothing back, and no day more than it has counted', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  const age = (ms: number) => query(url, `UPDATE request_counts SET day_from = day_from - ${ms}`);
  await takeItems(limiter, 1);
  await age(86_300_000);
  const earlier = await takeItems(limiter, 40);
  t.strictSame(remaining(earlier), [59, 109]);
  await age(100_000);
  t.strictSame(remaining(await takeItems(limiter, 50)), [50, 100], 'a new day');
  const nothing = await limiter.giveBack(quotas, earlier, { cost: 40 });
  t.strictSame(remaining(nothing), [50, 100]);
  const later = await takeItems(limiter, 10);
  await query(url, 'UPDATE request_counts SET day_used = 4');
  const all = await limiter.giveBack(quotas, later, { cost: 10 });
  t.strictSame(remaining(all), [100, 150]);
});

test('a batch above the limit gives back no more than was counted for it', async (t) => {
  const { url } = await createTestDatabase(t);
  const limiter = openLimiter(t, url);
  const counted = await takeItems(limiter, 120);
  t.strictSame(remaining(counted), [0, 30]);
  const given = await limiter.giveBack(quotas, counted, { cost: 120, paid: 110 });
  t.strictSame(remaining(given), [0, 40]);
});

test('when the database is gone, nothing is given back and nothing fails', async (t) => {
  const { url } = await createTestDatabase(t);
  const counted = await takeItems(openLimiter(t, url), 10);
  const absent = openLimiter(t, 'postgres://a:b@127.0.0.1:1/c');
  t.equal(await absent.giveBack(quotas, counted, { cost: 10 }), null);
});
