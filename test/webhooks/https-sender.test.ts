import { once } from 'node:events';
import net from 'node:net';
import { type Test, test } from 'tap';
import { createHttpsSender, type SenderOptions } from '../../src/webhooks/https-sender.ts';
import { until } from '../support/until.ts';
import {
  endlessBody,
  hang,
  receiverCertificate,
  reset,
  type Script,
  slowBody,
  startReceiver,
  status,
} from '../support/webhook-receiver.ts';

const open = { allowHttp: true, allowPrivate: true, ports: null };
const never = new AbortController().signal;
const local = async () => ['127.0.0.1'];

function sender(t: Test, options: Partial<SenderOptions> = {}) {
  const made = createHttpsSender({ rules: open, ...options });
  t.teardown(() => made.close());
  return made;
}

const to = (url: string) => ({ url, headers: { 'webhook-id': 'one' }, body: '{"é":1}' });

async function answerTo(t: Test, script: Script, timeoutMs = 20_000) {
  const receiver = await startReceiver(t, { script });
  const answer = await sender(t, { timeoutMs }).send(to(receiver.url), never);
  return { ...answer, received: receiver.received.length };
}

test('sends a request byte for byte, and returns its status', async (t) => {
  const receiver = await startReceiver(t);
  const answer = await sender(t).send(to(`${receiver.url}/hooks?token=1`), never);
  t.match(answer, { status: 204, error: null });
  t.match(receiver.received, [{ path: '/hooks?token=1', headers: { 'webhook-id': 'one' } }]);
  t.equal(receiver.received[0]?.body, '{"é":1}');
});

test('returns every status unchanged', async (t) => {
  for (const code of [200, 204, 301, 307, 400, 404, 410, 429, 500, 503]) {
    const headers = { 'retry-after': '7', location: 'http://127.0.0.1:1/' };
    const answer = await answerTo(t, status(code, headers));
    t.match(answer, { status: code, error: null, retryAfter: '7', received: 1 });
  }
});

test('does not follow a redirect', async (t) => {
  const other = await startReceiver(t);
  for (const code of [301, 302, 303, 307, 308]) {
    await answerTo(t, status(code, { location: other.url }));
  }
  t.equal(other.connections(), 0);
});

test('a connection that is reset, refused or answered with nonsense gives no status', async (t) => {
  t.match(await answerTo(t, reset), { status: null, error: 'connection lost', received: 1 });
  const free = net.createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as net.AddressInfo;
  free.close();
  await once(free, 'close');
  const refused = await sender(t).send(to(`http://127.0.0.1:${port}/`), never);
  t.match(refused, { status: null, error: 'unreachable' });
  const nonsense: Script = (_, response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n\r\n');
  t.match(await answerTo(t, nonsense), { status: null, error: 'malformed answer' });
});

test('an unrequested protocol switch is a failure, early hints are not', async (t) => {
  const switching: Script = (_, response) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade';
    response.socket?.write(`${head}\r\n\r\n`);
  };
  t.match(await answerTo(t, switching), { status: null, error: 'connection lost', received: 1 });
  const hinting: Script = (_, response) => {
    response.socket?.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
    response.end();
  };
  t.match(await answerTo(t, hinting), { status: 200, error: null, received: 1 });
});

test('gives up a request that hangs', async (t) => {
  t.match(await answerTo(t, hang, 300), { status: null, error: 'timeout', received: 1 });
});

test('returns the status although the body never ends, by size or by time', async (t) => {
  t.match(await answerTo(t, endlessBody), { status: 200, error: null });
  t.match(await answerTo(t, slowBody, 400), { status: 200, error: null });
});

test('reads little more than 64 KiB of an answer', async (t) => {
  let closed = false;
  let written = 0;
  const receiver = await startReceiver(t, {
    script: (_, response) => {
      response.on('close', () => {
        closed = true;
        written = response.socket?.bytesWritten ?? 0;
      });
      endlessBody(_, response, 1);
    },
  });
  await sender(t).send(to(receiver.url), never);
  await until('the connection is closed', async () => closed);
  // The kernels on both sides buffer some more.
  t.ok(written < 16 * 1_048_576, `${written} bytes were written`);
});

test('a cancelled request ends at once', async (t) => {
  const receiver = await startReceiver(t, { script: hang });
  const stop = new AbortController();
  const sending = sender(t).send(to(receiver.url), stop.signal);
  await until('the request has arrived', async () => receiver.received.length === 1);
  stop.abort();
  t.match(await sending, { status: null, error: 'cancelled' });
});

test('reuses connections, and replaces one that was just closed', async (t) => {
  const receiver = await startReceiver(t);
  const made = sender(t);
  for (let n = 0; n < 3; n += 1) await made.send(to(receiver.url), never);
  t.equal(receiver.connections(), 1);
  let resets = 0;
  receiver.answer((_, response) => {
    if (resets === 0) {
      resets += 1;
      response.socket?.destroy();
    } else response.writeHead(204).end();
  });
  t.match(await made.send(to(receiver.url), never), { status: 204 });
  t.equal(receiver.connections(), 2);
});

test('over TLS verifies the name, and connects to the address looked up', async (t) => {
  const receiver = await startReceiver(t, { tls: true });
  const trusting = { resolve: local, ca: receiverCertificate };
  t.match(await sender(t, trusting).send(to(receiver.url), never), { status: 204 });
  t.strictSame(receiver.serverNames, ['hooks.example.com']);
  t.equal(receiver.received[0]?.headers.host, `hooks.example.com:${receiver.port}`);
  const others = [
    sender(t, { resolve: local }).send(to(receiver.url), never),
    sender(t, trusting).send(to(`https://other.example.com:${receiver.port}`), never),
    sender(t, trusting).send(to(`https://127.0.0.1:${receiver.port}`), never),
  ];
  for (const answer of await Promise.all(others)) t.match(answer, { error: 'tls failed' });
  t.equal(receiver.received.length, 1);
});

test('looks up the name for every connection, and connects to no private address', async (t) => {
  const receiver = await startReceiver(t, { tls: true });
  const rules = { allowHttp: false, allowPrivate: false, ports: null };
  const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::1']];
  let asked = 0;
  const resolve = async () => answers[asked++] ?? [];
  const strict = sender(t, { rules, resolve, ca: receiverCertificate });
  t.equal(await strict.checkUrl(receiver.url), null);
  // The name has another address since the registration.
  for (let n = 1; n < answers.length; n += 1) {
    t.match(await strict.send(to(receiver.url), never), { error: 'address not allowed' });
  }
  t.equal(receiver.connections(), 0);
  t.equal(asked, answers.length);
});

test("checks the peer's address again before sending", async (t) => {
  for (const tls of [false, true]) {
    let heard = 0;
    const listener = net.createServer((socket) => socket.on('data', () => (heard += 1)));
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as net.AddressInfo;
    let looks = 0;
    // Allowed at the look-up, and no longer once connected.
    const isAllowed = () => ++looks === 1;
    const made = sender(t, { resolve: local, isAllowed });
    const url = `${tls ? 'https' : 'http'}://hooks.example.com:${port}`;
    t.match(await made.send(to(url), never), { error: 'address not allowed' });
    t.equal(looks, 2);
    t.equal(heard, 0);
    listener.close();
    await once(listener, 'close');
  }
});

test('a name that does not resolve, or resolves to nothing, gives no status', async (t) => {
  const failing = async () => Promise.reject(new Error('SERVFAIL'));
  const { NameNotResolved } = await import('../../src/webhooks/resolve-host.ts');
  const unknown = async (host: string) => Promise.reject(new NameNotResolved(host));
  const made = sender(t, { resolve: unknown });
  const answer = await made.send(to('https://hooks.example.com/'), never);
  t.match(answer, { status: null, error: 'name not resolved' });
  const strict = { allowHttp: false, allowPrivate: false, ports: [443] };
  const taken = sender(t, { rules: strict, resolve: failing });
  t.equal(await taken.checkUrl('https://hooks.example.com/'), null, 'it may resolve later');
});
