import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'tap';
import { proofOfStream } from '../../src/domain/streams.ts';
import { listenOnPort } from '../../src/http/connections/listening.ts';
import { type HttpService, startHttpService } from '../support/http-service.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { randomDigest } from '../support/scripted-anchoring.ts';
import { until } from '../support/until.ts';

/** Opens a connection and collects everything received until it is closed. */
function open(service: HttpService): { socket: Socket; closed: Promise<string> } {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, closed };
}

async function exchange(service: HttpService, bytes: string): Promise<string> {
  const { socket, closed } = open(service);
  socket.write(bytes);
  return closed;
}

/** Status, code and headers of an answer with an error body. */
function errorOf(text: string): { status: number; code: string; headers: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const parsed = JSON.parse(body);
  return {
    status: Number(head.split(' ')[1]),
    code: parsed.success === false ? parsed.code : 'no error body',
    headers: head.toLowerCase(),
  };
}

const close = 'Connection: close\r\n';

/** A body in chunks, on a connection that the client would keep. */
const chunked = (version: string, coding: string) =>
  `POST /api/v1/proofs HTTP/${version}\r\nHost: x\r\nConnection: keep-alive\r\n` +
  `Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;

const onLinux = process.platform === 'linux' ? false : 'only Linux has several sockets of a port';

test('a burst of connections is accepted in few turns', { skip: onLinux }, async (t) => {
  const service = await startHttpService(t);
  const burst = 300;
  let accepted = 0;
  const count = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === service.port) accepted += 1;
  };
  subscribe('net.server.socket', count);
  t.teardown(() => unsubscribe('net.server.socket', count));
  const sockets = Array.from({ length: burst }, () => open(service).socket);
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  let turns = 0;
  for (; accepted < burst; turns += 1) await nextTurn();
  t.ok(turns < burst / 3, `${turns} turns of the event loop`);
});

test('a second service on the same port fails', async (t) => {
  const { port } = await startHttpService(t);
  await t.rejects(listenOnPort(createServer(), { host: '127.0.0.1', port }), {
    code: 'EADDRINUSE',
  });
});

test('invalid HTTP is answered with an error body, and the connection is closed', async (t) => {
  const service = await startHttpService(t);
  const rows: [string, string, number, string][] = [
    ['garbage', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a bad header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['no Host', `GET /healthz HTTP/1.1\r\n${close}\r\n`, 400, 'INVALID_REQUEST'],
    [
      'two Hosts',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n${close}\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'an absolute target that is none',
      `GET http://[ HTTP/1.1\r\nHost: x\r\n${close}\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    ['chunks in HTTP/1.0', chunked('1.0', 'chunked'), 400, 'INVALID_REQUEST'],
    ['an unknown coding', chunked('1.1', 'gzip, chunked'), 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      'POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a length and chunks',
      'POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na',
      400,
      'INVALID_REQUEST',
    ],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'large headers',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'REQUEST_HEADER_FIELDS_TOO_LARGE',
    ],
    [
      'a long path',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'REQUEST_HEADER_FIELDS_TOO_LARGE',
    ],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}\r\n`, 404, 'NOT_FOUND'],
    ['TRACE', `TRACE /healthz HTTP/1.1\r\nHost: x\r\n${close}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
    [
      'an odd Expect',
      `GET /x HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n${close}\r\n`,
      404,
      'NOT_FOUND',
    ],
  ];
  for (const [what, bytes, status, code] of rows) {
    const answer = errorOf(await exchange(service, bytes));
    t.match(answer, { status, code }, what);
    t.match(answer.headers, /x-request-id: [0-9a-z]{26}/, what);
    t.match(answer.headers, /connection: close/, what);
  }
  t.equal((await service.call('GET', '/healthz')).status, 200, 'continues to serve');
});

test('the answer to invalid HTTP comes after the answer to the previous call', async (t) => {
  const limits = { headersTimeoutMs: 500, checkIntervalMs: 100 };
  const service = await startHttpService(t, {
    limits,
    services: { calls: { proofWaitMs: 1_500 } },
  });
  const { key, workspaceId } = await service.openOrganisation();
  const post = (more = '') => {
    const body = JSON.stringify({ hash: randomDigest(), workspace: workspaceId });
    const head = `POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}`;
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const statuses = async (bytes: string) =>
    [...(await exchange(service, bytes)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const queued = post('Prefer: respond-async\r\n');
  t.strictSame(await statuses(`${queued}hello\r\n\r\n`), ['202', '400']);
  t.strictSame(
    await statuses(`${get}${post()}GET /hea`),
    ['200', '502', '408'],
    'headers that are too slow',
  );
  t.strictSame(await statuses(`${get}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`), ['200', '405']);
});

test('cuts off clients that are slow with headers or body', async (t) => {
  const limits = { headersTimeoutMs: 300, requestTimeoutMs: 2_500, checkIntervalMs: 50 };
  const service = await startHttpService(t, { limits });
  const { key } = await service.openOrganisation();
  const trickle = async (start: string, next: string): Promise<[number, string]> => {
    const { socket, closed } = open(service);
    socket.write(start);
    const timer = setInterval(() => socket.writable && socket.write(next), 50);
    const started = performance.now();
    const text = await closed;
    clearInterval(timer);
    return [performance.now() - started, text];
  };
  const [headersMs, headers] = await trickle('GET /healthz HTTP/1.1\r\nHost: x\r\n', 'A: b\r\n');
  t.match(errorOf(headers), { status: 408, code: 'REQUEST_TIMEOUT' });
  t.ok(headersMs < (await onThisMachine(8_000)));
  const post = `POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
  const [bodyMs, body] = await trickle(post, ' ');
  t.match(errorOf(body), { status: 408, code: 'REQUEST_TIMEOUT' });
  t.ok(bodyMs < (await onThisMachine(20_000)));
  const [silentMs, silent] = await trickle('', '');
  t.ok(silentMs < (await onThisMachine(8_000)), 'a silent connection too');
  t.equal(
    silent,
    '',
    'which a client may have opened ahead: an answer would be that to its first request',
  );
});

test('a client that keeps sending after the answer is cut off, but receives the answer', async (t) => {
  const service = await startHttpService(t, { limits: { lingerMs: 300 } });
  const { key } = await service.openOrganisation();
  for (const authorization of ['', `Authorization: Bearer ${key}\r\n`]) {
    const { socket, closed } = open(service);
    socket.write(
      `POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: 900000000\r\n\r\n`,
    );
    const timer = setInterval(() => socket.writable && socket.write('x'.repeat(10_000)), 10);
    const started = performance.now();
    const text = await closed;
    clearInterval(timer);
    t.ok(performance.now() - started < (await onThisMachine(4_500)));
    t.match(text, authorization === '' ? /^HTTP\/1.1 401 / : /^HTTP\/1.1 413 /);
    t.equal(text.match(/HTTP\/1.1/g)?.length, 1, 'exactly one answer');
  }
});

test('after an early answer the connection serves on, once the body has arrived', async (t) => {
  const service = await startHttpService(t);
  const { socket, closed } = open(service);
  socket.write('POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
  await once(socket, 'data');
  socket.write('67890GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  const statuses = [...(await closed).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
  t.strictSame(statuses, ['401', '200', '400']);
});

test('a client that hangs up during a refused body is answered only once', async (t) => {
  const service = await startHttpService(t);
  const { socket, closed } = open(service);
  socket.write('POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
  await once(socket, 'data');
  socket.end();
  t.equal((await closed).match(/HTTP\/1.1 /g)?.length, 1);
  await delay(50);
  t.equal(service.log.filter((line) => line.includes('"request"')).length, 1);
});

test('a body that ends early is not logged as a fault', async (t) => {
  const service = await startHttpService(t);
  const { key } = await service.openOrganisation();
  const { socket, closed } = open(service);
  socket.write(
    `POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
  );
  // The service reads the body from now on.
  await once(socket, 'data');
  socket.write('{');
  socket.destroy();
  await closed;
  await until('the call is logged', async () =>
    service.log.some((line) => line.includes('"request"')),
  );
  t.notMatch(service.log.join('\n'), /"level":(40|50)/);
});

test('a stop ends idle and half-open connections at once, and busy ones at the time limit', async (t) => {
  const service = await startHttpService(t, {
    services: { lifecycle: { drainGraceMs: 60_000 }, calls: { proofWaitMs: 15_000 } },
  });
  const { key, workspaceId } = await service.openOrganisation();
  const silent = open(service);
  const half = open(service);
  half.socket.write('GET /healthz HTTP/1.1\r\n');
  const idle = open(service);
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const json = { hash: randomDigest(), workspace: workspaceId };
  const posting = service.call('POST', '/proofs', { key, json });
  posting.catch(() => {});
  await once(idle.socket, 'data');
  const proofId = await until('the call has requested its proof', async () => {
    const [requested] = await service.store.readLog(0, 100, ['ProofRequested']);
    return requested && proofOfStream(requested.stream);
  });
  await service.awaitWaits(proofId, 1);
  service.drain();
  const ends: string[] = [];
  const atOnce = Promise.all([silent.closed, half.closed, idle.closed]);
  atOnce.then(() => ends.push('idle and half-open'));
  await service.server.stop(1_500);
  ends.push('busy');
  await atOnce;
  t.strictSame(ends, ['idle and half-open', 'busy']);
  await t.rejects(posting);
});

test('while the service drains, calls are still answered, with Connection: close', async (t) => {
  const service = await startHttpService(t);
  service.drain();
  const { headers, status } = await service.call('GET', '/healthz');
  t.strictSame([status, headers.get('connection')], [200, 'close']);
});
