import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { fetchValidatorList } from '../../src/ledger/fetch-validator-list.ts';
import { onThisMachine } from '../support/on-this-machine.ts';

async function serve(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;

test('reads a list', async (t) => {
  const url = await serve(t, (_, response) => response.end('{"version":1}'));
  t.strictSame(await fetchValidatorList(url, never), { version: 1 });
});

test('does not follow a redirect', async (t) => {
  let requests = 0;
  const inside = await serve(t, (_, response) => {
    requests += 1;
    response.end('{"version":1}');
  });
  const url = await serve(t, (_, response) => {
    response.writeHead(302, { location: inside }).end();
  });
  await t.rejects(fetchValidatorList(url, never));
  t.equal(requests, 0, 'the other address is not asked');
});

test('refuses an answer that is too large, no JSON, or an error', async (t) => {
  const large = await serve(t, (_, response) => response.end(JSON.stringify('x'.repeat(300_000))));
  await t.rejects(fetchValidatorList(large, never), /larger than 262144 bytes/);
  const text = await serve(t, (_, response) => response.end('<html>'));
  await t.rejects(fetchValidatorList(text, never), { message: 'the answer is no JSON' });
  const error = await serve(t, (_, response) => response.writeHead(503).end('{}'));
  await t.rejects(fetchValidatorList(error, never), /answered 503/);
});

test('ends a request without an answer when it is stopped', async (t) => {
  const url = await serve(t, () => {});
  const stopping = new AbortController();
  const reading = fetchValidatorList(url, stopping.signal);
  setTimeout(() => stopping.abort(), 50);
  const startedAt = performance.now();
  await t.rejects(reading, { name: 'AbortError' });
  t.ok(performance.now() - startedAt < (await onThisMachine(5_000)));
});
