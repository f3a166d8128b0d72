import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { openDatabase } from '../../src/event-store/database.ts';
import { createTestDatabase } from '../support/database.ts';

test('a connection that breaks during the goodbye does not keep the database from closing', async (t) => {
  const { url } = await createTestDatabase(t);
  const database = openDatabase(url, { maxConnections: 1 });
  const client = await database.pool.connect();
  client.release();
  // One that never tells its end is waited for a second; meanwhile it breaks at every moment.
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

test('closed while a query waits for a connection, the query is answered and nothing hangs', async (t) => {
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
