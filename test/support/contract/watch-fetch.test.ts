import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { watchFetch } from './watch-fetch.ts';

/** Answers the first two calls 503 with this message, and later ones 401; resolves after one `fetch`. */
async function statusAfter(t: Test, message: string, method: string, path: string) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await Array.fromAsync(request)).toString());
    const isBehind = bodies.length <= 2;
    const code = isBehind ? 'SERVICE_UNAVAILABLE' : 'INVALID_API_KEY';
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '01M7XT7V0YJ4K5M6N7P8Q9R0ST',
      ...(!isBehind && { 'www-authenticate': 'Bearer' }),
      ...(isBehind && { 'retry-after': '1' }),
    };
    response.writeHead(isBehind ? 503 : 401, headers);
    response.end(JSON.stringify({ success: false, code, message }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ended = Promise.withResolvers<void>();
  t.teardown(() => ended.resolve());
  t.teardown(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  watchFetch(address, ended.promise);
  const body = method === 'POST' ? { body: '{"name":"W"}' } : {};
  const answer = await fetch(`${address}/api/v1${path}`, { method, ...body });
  return { status: answer.status, read: (await answer.text()).length > 0, bodies };
}

test('a call is repeated with its body while the service catches up', async (t) => {
  const behind = 'the service is catching up; try again shortly';
  const [get, post] = await Promise.all([
    statusAfter(t, behind, 'GET', '/workspaces'),
    statusAfter(t, behind, 'POST', '/proofs'),
  ]);
  t.strictSame(get, { status: 401, read: true, bodies: ['', '', ''] });
  t.strictSame(post, { status: 401, read: true, bodies: Array(3).fill('{"name":"W"}') });
});

test('any other answer is not repeated', async (t) => {
  const away = await statusAfter(t, 'the database is not reachable', 'POST', '/proofs');
  t.match(away, { status: 503, read: true, bodies: { length: 1 } });
});
