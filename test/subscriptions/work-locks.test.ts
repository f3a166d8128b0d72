import { join } from 'node:path';
import pg from 'pg';
import { test } from 'tap';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from '../support/database.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { projectRoot, run } from '../support/run.ts';
import { until } from '../support/until.ts';

const silenceMs = 1_000;

test('a lock has one holder, and passes on when it is released or the holder is gone', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, two] = [openWorkLocks(url), openWorkLocks(url)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const since = await one.hold('a');
  t.type(since, 'number');
  t.equal(await one.hold('a'), since, 'without a break');
  t.equal(await two.hold('a'), null);
  await one.release('a');
  await until('the other process has the lock', () => two.hold('a'));
  await two.close();
  t.type(await one.hold('a'), 'number');
});

test('a lock that was taken by several calls at the same time is released by one', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, two] = [openWorkLocks(url), openWorkLocks(url)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  for (const round of ['while the session opens', 'in an open session']) {
    const [since, ...others] = await Promise.all(Array.from({ length: 3 }, () => one.hold('a')));
    t.type(since, 'number', round);
    t.strictSame(others, [since, since], 'all calls agree');
    await one.release('a');
    t.type(await two.hold('a'), 'number', 'another process has the lock');
    await two.release('a');
  }
});

test('a lock is released, too, while the call that takes it is in progress', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, two] = [openWorkLocks(url), openWorkLocks(url)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  for (const round of ['while the session opens', 'in an open session']) {
    const taking = one.hold('a');
    await one.release('a');
    await taking;
    t.type(await two.hold('a'), 'number', round);
    await two.release('a');
  }
});

test('after repeated connection losses no session holds an unknown lock', async (t) => {
  const { url } = await createTestDatabase(t);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'proofmark locks' AND datname = current_database()`;
  let losses = 0;
  let again: Promise<unknown> = Promise.resolve();
  const locks = openWorkLocks(url, {
    onLost: () => {
      losses += 1;
      again = locks.hold('a').catch(() => null);
    },
  });
  t.teardown(() => locks.close());
  for (let round = 0; round < 10; round += 1) {
    const before = losses;
    let held = await locks.hold('a').catch(() => null);
    while (held === null) held = await locks.hold('a').catch(() => null);
    await admin.query(kill);
    while (losses === before) await new Promise((resolve) => setImmediate(resolve));
    await again;
  }
  let held = await locks.hold('a').catch(() => null);
  while (held === null) held = await locks.hold('a').catch(() => null);
  t.type(held, 'number');
  const { rows } = await admin.query(
    `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory'
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  t.strictSame(rows, [{ held: 1 }]);
});

test('a holder keeps its lock while it lives, without asking again', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, two] = [openWorkLocks(url, { silenceMs }), openWorkLocks(url, { silenceMs })];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const since = await one.hold('a');
  const end = performance.now() + 2.5 * silenceMs;
  await until('time passes', async () => {
    t.equal(await two.hold('a'), null);
    return performance.now() > end;
  });
  t.equal(await one.hold('a'), since);
});

test('a frozen holder loses its locks to another, and knows when it wakes up', async (t) => {
  const { url } = await createTestDatabase(t);
  const script = join(projectRoot, 'test/support/lock-holder.ts');
  const holder = run(t, [process.execPath, script, url, 'a', String(silenceMs)]);
  await holder.said(/held since 1/);
  const locks = openWorkLocks(url, { silenceMs });
  t.teardown(() => locks.close());
  t.equal(await locks.hold('a'), null);
  holder.kill('SIGSTOP');
  const frozenAt = performance.now();
  const since = await until('the lock passes on', () => locks.hold('a'));
  const ms = Math.round(performance.now() - frozenAt);
  t.comment(`passed on ${ms} ms after its holder was frozen`);
  t.ok(ms < silenceMs + (await onThisMachine(9_000)));
  holder.kill('SIGCONT');
  await holder.said(/awake\nheld by another|awake\nno answer\nheld by another/);
  holder.kill('SIGKILL');
  const { stdout } = await holder.ended;
  t.match(stdout, /^held since 1\nawake\n(no answer\n)?held by another\n$/);
  t.equal(await locks.hold('a'), since);
});
