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

/** A server that gives the same result to each command every time, and no answer to others. */
async function startServer(t: Test, results: Readonly<Record<string, unknown>>) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id, command } = JSON.parse(String(message));
      if (results[command] === undefined) return;
      const answer = { id, type: 'response', status: 'success', result: results[command] };
      socket.send(JSON.stringify(answer));
    }),
  );
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ready = {
  server_info: {
    info: {
      ...{ build_version: '2.3.0', complete_ledgers: '1-7', load_factor: 1, network_id: 1 },
      validated_ledger: { age: 1, seq: 7, base_fee_xrp: 0.00001 },
    },
  },
  fee: { expected_ledger_size: '200' },
  subscribe: { ledger_index: 7, ledger_hash: 'AB'.repeat(32), ledger_time: 825_000_000 },
};

test('a server that answers everything but submissions is connected to anew', async (t) => {
  const url = await startServer(t, ready);
  const troubles: string[] = [];
  const server = superviseServer({
    ...{ url, networkId: 1, requestTimeoutMs: 200 },
    onTrouble: (_name, reason) => troubles.push(reason),
  });
  t.teardown(() => server.close());
  const connected = (connection: number) =>
    firstValueFrom(
      server.status.pipe(
        filter((status) => status.state === 'ready' && status.connection === connection),
        timeout(patienceMs),
      ),
    );
  await connected(1);
  await t.rejects(server.submit({ tx_blob: '' }), { name: 'Unanswered' });
  t.equal(server.current().state, 'ready', 'one answer may be lost');
  await t.rejects(server.submit({ tx_blob: '' }), { name: 'Unanswered' });
  await connected(2);
  t.strictSame(troubles, ['submissions are not answered']);
});

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
