import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { openDatabase } from '../../src/event-store/database.ts';
import { createTestDatabase } from '../support/database.ts';

test('a connection that breaks while closing does not keep the database from closing', async (t) => {
  const { url } = await createTestDatabase(t);
  const database = openDatabase(url, { maxConnections: 1 });
  const client = await database.pool.connect();
  client.release();
  // Without an `end` event the pool waits a second, while the connection breaks repeatedly.
  client.removeAllListeners('end');
  let closed = false;
  const closing = database.close().finally(() => {
    closed = true;
  });
  while (!closed) {
    client.emit('error', new Error('read ECONNRESET'));
    await turn();
  }
  await t.resolves(closing);
});

test('closing while a query waits for a connection answers the query and does not hang', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool, close } = openDatabase(url, { maxConnections: 1 });
  const only = await pool.connect();
  const waiting = pool.query('SELECT 1 AS one');
  const closed = close();
  await turn();
  only.release();
  t.strictSame((await waiting).rows, [{ one: 1 }]);
  await t.resolves(closed);
});

test('a process that freezes in a transaction loses its locks in time for the promised 10 s', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool, close } = openDatabase(url, { maxConnections: 1 });
  t.teardown(close);
  const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
  t.strictSame(rows, [{ idle_in_transaction_session_timeout: '7s' }]);
});
