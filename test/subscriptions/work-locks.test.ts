import pg from 'pg';
import { test } from 'tap';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from '../support/database.ts';

test('a lock is held by one, and passes on when it is given back or its holder is gone', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, two] = [openWorkLocks(url), openWorkLocks(url)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const since = await one.hold('a');
  t.type(since, 'number');
  t.equal(await one.hold('a'), since, 'without a break');
  t.equal(await two.hold('a'), null);
  await one.release('a');
  t.type(await two.hold('a'), 'number');
  await two.close();
  t.type(await one.hold('a'), 'number');
});

test('connections lost again and again: no session keeps a lock that nobody knows of', async (t) => {
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
