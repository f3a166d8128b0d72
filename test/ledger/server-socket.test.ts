import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { openServerSocket } from '../../src/ledger/server-socket.ts';

const silent = { onLedgerClosed: () => {}, onClosed: () => {} };

/** A server that compresses if the client offers it, as rippled does. */
async function startServer(t: Test, receive: (socket: WebSocket, id: number) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  const extensions: string[] = [];
  server.on('connection', (socket) => {
    extensions.push(socket.extensions);
    socket.on('message', (message) => receive(socket, JSON.parse(String(message)).id));
  });
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, extensions, server };
}

function answer(socket: WebSocket, id: number, body: object): void {
  socket.send(JSON.stringify({ id, type: 'response', ...body }));
}

test('messages are not compressed, and answers find their requests', async (t) => {
  const waiting: number[] = [];
  const { url, extensions } = await startServer(t, (socket, id) => {
    waiting.unshift(id);
    if (waiting.length < 2) return;
    for (const each of waiting) answer(socket, each, { status: 'success', result: each });
  });
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, silent);
  t.teardown(() => socket.end());
  await socket.opened;
  const answers = await Promise.all([socket.ask('fee'), socket.ask('fee')]);
  t.strictSame(
    answers.map(({ result }) => result),
    [1, 2],
  );
  t.strictSame(extensions, ['']);
});

test('requests of one turn of the event loop arrive in order, and those after it', async (t) => {
  const ids: number[] = [];
  const { url } = await startServer(t, (socket, id) => {
    ids.push(id);
    answer(socket, id, { result: id });
  });
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, silent);
  t.teardown(() => socket.end());
  await socket.opened;
  const ask = (many: number) =>
    Promise.all(Array.from({ length: many }, async () => (await socket.ask('fee')).result));
  const results = [...(await ask(100)), ...(await ask(1)), ...(await ask(50))];
  const all = Array.from({ length: 151 }, (_, index) => index + 1);
  t.strictSame(results, all);
  t.strictSame(ids, all);
});

test('an error answer is an answer, and what is no answer is ignored', async (t) => {
  const { url } = await startServer(t, (socket, id) => {
    socket.send('no JSON');
    socket.send('null');
    answer(socket, id + 7, { status: 'success' });
    answer(socket, id, { status: 'error', error: 'txnNotFound', warning: 'load' });
  });
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, silent);
  t.teardown(() => socket.end());
  await socket.opened;
  const answered = await socket.ask('tx', { transaction: 'AB' });
  t.match(answered, { status: 'error', error: 'txnNotFound', warning: 'load' });
});

test('a request without an answer rejects in time', async (t) => {
  const { url } = await startServer(t, () => {});
  const socket = openServerSocket(url, { timeoutMs: 500 }, silent);
  t.teardown(() => socket.end());
  await socket.opened;
  await t.rejects(socket.ask('fee'), /no answer to fee within 500 ms/);
});

test('when the server closes, requests reject and the close code is reported', async (t) => {
  const { url } = await startServer(t, (socket) => socket.close(1008));
  const codes: number[] = [];
  const onClosed = (code: number) => codes.push(code);
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, { ...silent, onClosed });
  await socket.opened;
  await t.rejects(socket.ask('fee'), /closed/);
  t.strictSame(codes, [1008]);
  await t.rejects(socket.ask('fee'), Error, 'nothing is sent any more');
});

test('after its end nothing is reported', async (t) => {
  const { url, server } = await startServer(t, () => {});
  const codes: number[] = [];
  const onClosed = (code: number) => codes.push(code);
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, { ...silent, onClosed });
  await socket.opened;
  const asked = socket.ask('fee');
  socket.end();
  await t.rejects(asked, /closed/);
  while (server.clients.size > 0) await new Promise(setImmediate);
  t.strictSame(codes, []);
});

test('a server that cannot be reached rejects the opening', async (t) => {
  const { url, server } = await startServer(t, () => {});
  server.close();
  await once(server, 'close');
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, silent);
  await t.rejects(socket.opened, { code: 'ECONNREFUSED' });
  socket.end();
});

test('a message with values of other types is ignored', async (t) => {
  const { url } = await startServer(t, (socket, id) => {
    const hostile = { toString: 1, valueOf: 1 };
    for (const value of [hostile, [], null, 'x', 1.5]) {
      socket.send(JSON.stringify({ type: 'response', id: value }));
      socket.send(JSON.stringify({ type: 'ledgerClosed', ledger_index: value }));
    }
    const ledger = { ledger_index: hostile, ledger_hash: 'AB', ledger_time: 1 };
    socket.send(JSON.stringify({ type: 'ledgerClosed', ...ledger }));
    answer(socket, id, { status: 'success' });
  });
  let closed = 0;
  const onLedgerClosed = () => {
    closed += 1;
  };
  const socket = openServerSocket(url, { timeoutMs: 5_000 }, { ...silent, onLedgerClosed });
  t.teardown(() => socket.end());
  await socket.opened;
  t.match(await socket.ask('fee'), { status: 'success' });
  t.equal(closed, 0);
});
