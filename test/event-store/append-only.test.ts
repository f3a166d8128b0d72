import { test } from 'tap';
import { createTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { streamNamed } from '../support/stream-named.ts';

test('the database refuses to change, delete or truncate events', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'kept')], {});
  const statements = [
    `UPDATE events SET data = '{}'`,
    `UPDATE events SET data = data WHERE false`,
    'DELETE FROM events',
    'DELETE FROM events WHERE position = 1',
    'TRUNCATE events',
    'TRUNCATE events CASCADE',
    `INSERT INTO events SELECT * FROM events ON CONFLICT (position) DO UPDATE SET data = '{}'`,
  ];
  for (const statement of statements) {
    await t.rejects(pool.query(statement), /events are append-only/, statement);
  }
  t.match(await store.readStream(streamNamed('s')), [{ data: { account: 'kept' } }]);
});

test('no second LogOpened can be written, even directly in SQL', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'first')], {});
  await t.rejects(
    pool.query(`INSERT INTO events SELECT 2, NULL, 'log-2', 1, 'e', 'LogOpened', 1, '', '{}', '{}', leaf
                FROM events`),
    /check constraint/,
  );
});
