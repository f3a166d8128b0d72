import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import Koa from 'koa';
import { pino } from 'pino';
import { type Test, test } from 'tap';
import type { RequestState } from '../../../src/http/request-state.ts';
import { type ServerLimits, startServer } from '../../../src/http/server.ts';
import { until } from '../../support/until.ts';

/** A server with an endless answer, and a late one. */
async function start(t: Test, limits: Partial<ServerLimits>) {
  let ended = 0;
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path === '/late') {
      await delay(1_500);
      ctx.body = 'late';
      return;
    }
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });
    endless.once('close', () => {
      ended += 1;
    });
    ctx.body = endless;
  });
  const server = await startServer(app, {
    host: '127.0.0.1',
    port: 0,
    log: pino({ level: 'silent' }),
    newId: () => 'id',
    limits: { checkIntervalMs: 20, ...limits },
  });
  t.teardown(() => server.stop(0));
  const open = async (path: string) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    t.teardown(() => socket.destroy());
    return socket;
  };
  return { server, open, ended: () => ended };
}

test('a client that stops reading is cut off, and the source of the answer is closed', async (t) => {
  const { open, ended } = await start(t, { downloadIdleMs: 200 });
  const socket = await open('/endless');
  // A client that never reads blocks the server as soon as the system's buffers are full.
  socket.pause();
  await until('the answer is given up', async () => ended() === 1);
});

test('a client that reads too slowly is cut off', async (t) => {
  const { open, ended } = await start(t, {
    answerTimeoutMs: 300,
    downloadBytesPerSecond: 1_000_000_000,
  });
  const socket = await open('/endless');
  socket.pause();
  // Read a little now and then, so that the client never counts as idle.
  const sipping = setInterval(() => socket.read(65_536), 50);
  t.teardown(() => clearInterval(sipping));
  await until('the answer is given up', async () => ended() === 1);
});

test('a client that waits for an answer, or reads a large one quickly, is not cut off', async (t) => {
  const { open, ended } = await start(t, { downloadIdleMs: 1_000, answerTimeoutMs: 60_000 });
  const waiting = await open('/late');
  const [answer] = await once(waiting, 'data');
  t.match(String(answer), /^HTTP\/1.1 200 .*late$/s);
  const reading = await open('/endless');
  let received = 0;
  reading.on('data', (chunk) => {
    received += chunk.length;
  });
  await until('much has arrived', async () => received > 50_000_000);
  t.equal(ended(), 0);
});

test('an idle connection is closed after the keep-alive timeout', async (t) => {
  const { open } = await start(t, { keepAliveTimeoutMs: 50 });
  const socket = await open('/late');
  socket.resume();
  await once(socket, 'close');
});
