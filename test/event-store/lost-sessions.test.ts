import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Test, test } from 'tap';
import { isConnectionLoss } from '../../src/event-store/connection-loss.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { query, startHere, temporaryDataDir } from '../embedded/run-service.ts';
import { until } from '../support/until.ts';

/** A proxy whose connections can freeze: they stay open, and nothing passes any more. */
async function startFreezingProxy(t: Test, target: () => number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

test('a query to a server that fell silent ends once another server is there', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const first = await startHere(t, dataDir);
  let { url } = first;
  const proxy = await startFreezingProxy(t, () => Number(new URL(url).port));
  const through = Object.assign(new URL(url), { port: proxy.port }).href;
  const lostSessions = { busyMs: 300, everyMs: 50 };
  const { pool, close } = openDatabase(through, { maxConnections: 2, lostSessions });
  t.teardown(close);
  // A session that the server knows is left alone.
  const [row] = (await pool.query(`SELECT pg_sleep(0.8), 'slept' AS slept`)).rows;
  t.match(row, { slept: 'slept' });
  const silent = [0, 1].map(() => pool.query('SELECT pg_sleep(60)'));
  for (const one of silent) one.catch(() => {});
  await until('both queries run', async () => {
    const running = `SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`;
    return (await query(url, running)).length === 2;
  });
  proxy.freeze();
  await first.stop();
  url = (await startHere(t, dataDir)).url;
  for (const one of silent) {
    const error = await one.catch((cause) => cause);
    t.ok(isConnectionLoss(error), String(error));
  }
  await pool.query('SELECT');
});
