import { createServer, type Socket } from 'node:net';
import { type Test, test } from 'tap';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';

const refusal = JSON.stringify({
  ...{ success: false, code: 'ENTITLEMENT_EXCEEDED', message: 'none is left' },
  usage: { unit: 'documents', used: 5, limit: 5, remaining: 0 },
});
const answer = `HTTP/1.1 403 X\r\nContent-Type: application/json\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`;

/** A server that refuses each upload after so many bytes of it, reads no further, and cuts the connection. */
async function startRefusing(t: Pick<Test, 'teardown'>, afterBytes: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let bytes = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      bytes += data.length;
      if (bytes <= afterBytes || socket.isPaused()) return;
      socket.pause();
      socket.write(answer);
      setTimeout(() => socket.resetAndDestroy(), 300);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  return { url: `http://127.0.0.1:${port}`, sockets };
}

test('an upload that is refused and cut before its end rejects with its refusal', async (t) => {
  for (const afterBytes of [0, 500_000]) {
    const { url, sockets } = await startRefusing(t, afterBytes);
    const proofmark = new Proofmark({ server: url, apiKey: 'k', workspace: 'W' });
    const file = new Blob([new Uint8Array(64_000_000)]);
    const expected = { code: 'ENTITLEMENT_EXCEEDED', status: 403, usage: { remaining: 0 } };
    await t.rejects(proofmark.upload(file), expected);
    await t.rejects(proofmark.uploadRevision('D', file), expected);
    t.equal(sockets.length, 2, 'none is sent again');
  }
});
