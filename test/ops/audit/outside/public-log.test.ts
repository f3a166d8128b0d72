import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { PublicLogUnavailable } from '../../../../ops/audit/findings/public-log-unavailable.ts';
import { publicLog } from '../../../../ops/audit/outside/public-log.ts';
import { LookLimit } from '../../../../ops/following/look-limit.ts';
import { onThisMachine } from '../../../support/on-this-machine.ts';

const tile = { level: 0, index: 0, width: 256 };
const bytes = Buffer.alloc(256 * 32, 7);

/** A published log with a scripted answer for the nth request, and the times of the requests. */
async function logOf(
  t: Test,
  answer: (n: number) => RequestListener,
  options: { timeoutMs?: number; patienceMs?: number; limit?: LookLimit } = {},
) {
  const times: number[] = [];
  const server = createServer((request, response) => {
    times.push(performance.now());
    answer(times.length)(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { log: publicLog(address, { timeoutMs: 2_000, patienceMs: 20_000, ...options }), times };
}

const give: RequestListener = (_request, response) => response.end(bytes);
const refuse =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end('<html>');

test('a server that is busy or fails is asked again after its Retry-After', async (t) => {
  const { log, times } = await logOf(t, (n) =>
    n === 1 ? refuse(429, { 'Retry-After': '1' }) : n < 4 ? refuse(503) : give,
  );
  t.strictSame(await log.readTile('', tile), bytes);
  t.equal(times.length, 4);
  t.ok((times[1] ?? 0) - (times[0] ?? 0) >= 990, 'at least a second later');
});

test('a server that breaks the connection, stalls or is silent is asked again', async (t) => {
  const { log } = await logOf(
    t,
    (n) =>
      n === 1
        ? ({ socket }) => socket.destroy()
        : n === 2
          ? () => {}
          : n === 3
            ? (_request, response) => void response.writeHead(200).write('half of it')
            : give,
    { timeoutMs: 200 },
  );
  t.strictSame(await log.readTile('', tile), bytes);
});

test('a server that keeps failing is given up in time, and later asked at most twice', async (t) => {
  const late = await logOf(t, () => refuse(429, { 'Retry-After': '3600' }));
  await t.rejects(late.log.readTile('', tile), {
    constructor: PublicLogUnavailable,
    message: /\/log\/tile\/0\/000 answers 429: audit again later$/,
  });
  t.equal(late.times.length, 1, 'no wait of an hour');
  const { log, times } = await logOf(t, () => refuse(500), { patienceMs: 600 });
  await t.rejects(log.readTile('', tile), { message: /answers 500/ });
  const asked = times.length;
  t.ok(asked > 1);
  await t.rejects(log.readCheckpoint(), { message: /log\/checkpoint answers 500/ });
  t.ok(times.length <= asked + 2, 'few retries until the server has answered once');
  const denied = await logOf(t, () => refuse(403));
  await t.rejects(denied.log.readTile('', tile), {
    message: /answers 403: check the address given with --log$/,
  });
  t.equal(denied.times.length, 1);
});

test('a missing file is null, and an oversized one is read only to one byte over its limit', async (t) => {
  const absent = await logOf(t, () => refuse(404));
  t.equal(await absent.log.readTile('', tile), null);
  t.equal(await absent.log.readCheckpoint(), null);
  const endless = await logOf(t, () => (_request, response) => {
    const more = (error?: Error | null) => {
      if (!error) response.write(Buffer.alloc(65_536), more);
    };
    more();
  });
  t.equal((await endless.log.readTile('', tile))?.length, 256 * 32 + 1);
  t.equal((await endless.log.readCheckpoint())?.length, 65_537);
  const page = await logOf(t, () => refuse(200));
  t.equal((await page.log.readTile('', tile))?.toString(), '<html>');
});

test('a limit of all answers ends slow and large ones', async (t) => {
  const drip: RequestListener = (_request, response) => {
    response.writeHead(200);
    const dripping = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(dripping));
  };
  const message = /reading took longer than 0.1 s in one look/;
  for (const answer of [drip, () => {}, refuse(503, { 'Retry-After': '5' })]) {
    const limit = new LookLimit({ ms: 100, bytes: 1_000_000 });
    const { log } = await logOf(t, () => answer, { limit });
    const startedAt = performance.now();
    await t.rejects(log.readCheckpoint(), { message });
    t.ok(performance.now() - startedAt < (await onThisMachine(4_000)));
  }
  const { log } = await logOf(t, () => give, {
    limit: new LookLimit({ ms: 60_000, bytes: 20_000 }),
  });
  for (const _ of [1, 2]) await log.readTile('', tile);
  await t.rejects(log.readTile('', tile), { message: /more than 0.02 MB in one look/ });
});
