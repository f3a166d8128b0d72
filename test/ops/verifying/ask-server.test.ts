import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'tap';
import { WebSocketServer } from 'ws';
import { askServer } from '../../../ops/verifying/ask-server.ts';
import { sampleBundle } from '../../support/sample-bundle.ts';
import { startSilentServer } from '../../support/silent-server.ts';

const bundle = sampleBundle();

test('a silent server is given up after the timeout', async (t) => {
  const { url } = await startSilentServer(t);
  const finding = await askServer(url, bundle, 100);
  t.match(finding, {
    asked: true,
    reached: false,
    why: new RegExp(`^${url} did not answer within 0\\.1 s: try again`),
  });
});

test('a server with invalid answers is given up after the timeout', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  server.on('connection', (socket) => socket.on('message', () => socket.send('rubbish')));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const finding = await askServer(`ws://127.0.0.1:${port}`, bundle, 100);
  t.match(finding, { asked: true, reached: false, why: /did not answer/ });
});

test("a server's long description of itself is truncated", async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  const result = { info: { network_id: 'x'.repeat(100_000), build_version: '3.1.0' } };
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id } = JSON.parse(String(message));
      socket.send(JSON.stringify({ id, type: 'response', status: 'success', result }));
    }),
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const finding = await askServer(`ws://127.0.0.1:${port}`, bundle);
  t.match(finding, {
    asked: true,
    reached: false,
    why: /it serves network_id x{150,200}…\. Name a server/,
  });
});

test('redirects are not followed', async (t) => {
  const { url } = await startSilentServer(t);
  const server = createServer().on('upgrade', (_, socket) => {
    socket.end(`HTTP/1.1 302 Found\r\nLocation: ${url}\r\nContent-Length: 0\r\n\r\n`);
  });
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const finding = await askServer(`ws://127.0.0.1:${port}`, bundle);
  t.match(finding, { asked: true, reached: false, why: /302/ });
});
