import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { WebSocketServer } from 'ws';

/**
 * A ledger server that gives the same result to each command every time, and no answer to others. A result
 * `error` is the code of an error. Returns its address.
 */
export async function startScriptedServer(
  t: Pick<Test, 'teardown'>,
  results: Readonly<Record<string, unknown>>,
): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id, command } = JSON.parse(String(message));
      if (results[command] === undefined) return;
      const { error } = results[command] as { readonly error?: string };
      const answer =
        error === undefined
          ? { status: 'success', result: results[command] }
          : { status: 'error', error };
      socket.send(JSON.stringify({ id, type: 'response', ...answer }));
    }),
  );
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Results of a rippled of the test network. */
export const scriptedResults = {
  server_info: {
    info: {
      ...{ build_version: '2.3.0', complete_ledgers: '1-7', load_factor: 1, network_id: 1 },
      validated_ledger: { age: 1, seq: 7, base_fee_xrp: 0.00001 },
    },
  },
  fee: { expected_ledger_size: '200' },
  subscribe: { ledger_index: 7, ledger_hash: 'AB'.repeat(32), ledger_time: 825_000_000 },
};
