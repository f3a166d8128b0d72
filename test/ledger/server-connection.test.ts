import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { type Test, test } from 'tap';
import { WebSocketServer } from 'ws';
import { superviseServer } from '../../src/ledger/server-connection.ts';
import { projectRoot, run } from '../support/run.ts';
import { startSilentServer } from '../support/silent-server.ts';

const patienceMs = 20_000;

/** A server that gives the same result to each command every time. */
async function startServer(t: Test, results: Readonly<Record<string, unknown>>) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id, command } = JSON.parse(String(message));
      const answer = { id, type: 'response', status: 'success', result: results[command] };
      socket.send(JSON.stringify(answer));
    }),
  );
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a Clio server without build_version works as well as rippled', async (t) => {
  // Answer of a public server in March 2026.
  const info = {
    complete_ledgers: '32570-102609807',
    load_factor: 1,
    clio_version: '2.7.0',
    libxrpl_version: '3.0.0',
    rippled_version: '3.1.0',
    validated_ledger: { age: 5, seq: 102_609_807, base_fee_xrp: 0.00001 },
    network_id: 0,
  };
  const tip = { ledger_index: 102_609_807, ledger_hash: 'AB'.repeat(32), ledger_time: 825_000_000 };
  const fee = { expected_ledger_size: '200' };
  const url = await startServer(t, { server_info: { info }, fee, subscribe: tip });
  const server = superviseServer({ url, networkId: 0 });
  t.teardown(() => server.close());
  const known = filter(({ state }: { readonly state: string }) => state !== 'connecting');
  const status = await firstValueFrom(server.status.pipe(known, timeout(patienceMs)));
  t.match(status, { state: 'ready', networkId: 0, standalone: false, baseFeeDrops: 10 });
});

test('closing the connection to a silent server leaves nothing that keeps the process alive', async (t) => {
  const { url } = await startSilentServer(t);
  const program = `
    const { superviseServer } = await import('${join(projectRoot, 'src/ledger/server-connection.ts')}');
    const server = superviseServer({ url: '${url}', networkId: 0, requestTimeoutMs: 50 });
    while (server.current().state === 'connecting') await new Promise(setImmediate);
    await server.close();`;
  const { ended } = run(t, [process.execPath, '--input-type=module', '-e', program]);
  t.match(await ended, { code: 0, stderr: '' });
});
