import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { CallFailed, ProveCalls, SessionEnded } from '../../src/pages/prove-calls.js';

/** Calls of a service that answers like this, and the means to stop it. */
async function callsTo(t: Test, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  t.teardown(stop);
  const { port } = server.address() as AddressInfo;
  return { calls: new ProveCalls({ root: `http://127.0.0.1:${port}/`, token: 'old' }), stop };
}

const thrownBy = (promise: Promise<unknown>) => promise.then(() => null).catch((error) => error);

test('the page of the present session gives a new token', async (t) => {
  const tokens: unknown[] = [];
  const { calls } = await callsTo(t, ({ url, headers }, response) => {
    if (url === '/console/prove') response.end('<form id="prove" data-token="new">');
    else {
      tokens.push(headers['x-console-token']);
      response.end('{"data":[]}');
    }
  });
  await calls.renew();
  await calls.proveHashes('workspace', []);
  t.strictSame(tokens, ['new']);
});

test('only the status 401 is the end of a session, and an outage is waited for', async (t) => {
  let answer: [status: number, headers: Record<string, string>] = [401, {}];
  const { calls, stop } = await callsTo(t, (_request, response) => {
    response.writeHead(...answer).end('<h1>no page with a token</h1>');
  });
  const failure = () => thrownBy(calls.renew());
  t.type(await failure(), SessionEnded);
  for (const [status, headers, seconds] of [
    [429, { 'Retry-After': '7' }, 7],
    [429, {}, 5],
    [500, {}, 5],
    [502, {}, 5],
    [503, { 'Retry-After': '30' }, 30],
    [403, {}, null],
    [200, {}, null],
  ] as const) {
    answer = [status, headers];
    const error = await failure();
    t.type(error, CallFailed, `${status}`);
    t.equal(error.seconds, seconds, `${status}`);
  }
  stop();
  t.match(await failure(), { message: 'the service does not answer', seconds: 5 });
});

test('an answer that breaks off is an outage', async (t) => {
  const { calls } = await callsTo(t, (_request, response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('<form id="prove"', () => response.destroy());
  });
  t.match(await thrownBy(calls.renew()), { message: 'the service does not answer', seconds: 5 });
});
