import pg from 'pg';
import { type Test, test } from 'tap';
import { createTestDatabase } from './database.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A stand-in for a test, whose end the test chooses. */
function otherTest() {
  const ends: (() => unknown)[] = [];
  const t: Pick<Test, 'teardown'> = { teardown: (end) => void ends.push(end) };
  return { t, end: async () => ends.pop()?.() };
}

test('each test database is separate and has the tables of the migrations', async (t) => {
  const first = await createTestDatabase(t);
  const second = await createTestDatabase(t);
  t.not(first.name, second.name);
  for (const { url, name } of [first, second]) {
    const client = await connect(url);
    t.teardown(() => client.end());
    const { rows } = await client.query(
      'SELECT current_database() AS name, count(*)::int FROM events',
    );
    t.strictSame(rows, [{ name, count: 0 }]);
  }
});

test("a test database is empty, or has the test's own tables, on request", async (t) => {
  const tables = `SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'`;
  const empty = await createTestDatabase(t, { migrate: false });
  const own = await createTestDatabase(t, {
    migrate: async (url) => {
      const client = await connect(url);
      await client.query('CREATE TABLE own ()');
      await client.end();
    },
  });
  for (const [{ url }, count] of [
    [empty, 0],
    [own, 1],
  ] as const) {
    const client = await connect(url);
    t.teardown(() => client.end());
    t.strictSame((await client.query(tables)).rows, [{ count }]);
  }
});

test('a test database is dropped when its test is over', async (t) => {
  const other = otherTest();
  const { url } = await createTestDatabase(other.t);
  const client = await connect(url);
  await client.end();
  await other.end();
  await t.rejects(connect(url), { code: '3D000' });
});

test('a test that leaves a connection open fails, and the database is dropped', async (t) => {
  const other = otherTest();
  const { url } = await createTestDatabase(other.t);
  const client = await connect(url);
  await client.query('SELECT 1 AS forgotten');
  await t.rejects(other.end(), {
    message: '1 connections were left open, last: SELECT 1 AS forgotten',
  });
  await client.end();
  await t.rejects(connect(url), { code: '3D000' });
});
