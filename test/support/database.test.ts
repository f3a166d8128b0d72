import pg from 'pg';
import { test } from 'tap';
import { createTestDatabase } from './database.ts';

test('a test database has the tables of the migrations and is of its own', async (t) => {
  const first = await createTestDatabase(t);
  const second = await createTestDatabase(t);
  t.not(first.name, second.name);
  for (const { url, name } of [first, second]) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.teardown(() => client.end());
    const { rows } = await client.query(
      'SELECT current_database() AS name, count(*)::int FROM events',
    );
    t.strictSame(rows, [{ name, count: 0 }]);
  }
});
