import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { faultInWords, type Unchecked } from '../../../../ops/audit/findings/fault.ts';
import { openAskedLedger } from '../../../../ops/audit/outside/ask-ledgers.ts';

const tip = { ledger_index: 500, ledger_hash: 'AB'.repeat(32), ledger_time: 825_000_000 };
const validated = { base_fee_xrp: 0.00001 };

type Answer = (socket: WebSocket, id: number, index: number) => void;

/** A server that answers normally, except to requests for a ledger. Returns its URL. */
async function startServer(t: Test, answer: Answer = () => {}, networkId = 1): Promise<string> {
  const results: Readonly<Record<string, unknown>> = {
    server_info: { info: { network_id: networkId, validated_ledger: validated } },
    fee: { expected_ledger_size: '200' },
    subscribe: tip,
  };
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id, command, ledger_index: index } = JSON.parse(String(message));
      if (command === 'ledger') return answer(socket, id, index);
      const result = results[command];
      socket.send(JSON.stringify({ id, type: 'response', status: 'success', result }));
    }),
  );
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A testnet server that is asked. */
async function asking(t: Test, answer: Answer) {
  const url = await startServer(t, answer);
  const unchecked: Unchecked[] = [];
  const asked = openAskedLedger([url], (one) => unchecked.push(one));
  t.teardown(() => asked.close());
  return { ask: asked.ask, reported: () => unchecked.map(faultInWords) };
}

const respond = (socket: WebSocket, id: number, result: unknown) =>
  socket.send(JSON.stringify({ id, type: 'response', status: 'success', result }));

test('a ledger server with invalid answers is not asked again after three ledgers', async (t) => {
  const nonsense: readonly unknown[] = [
    { validated: true, ledger: 'none' },
    { validated: true, ledger: { ledger_data: 'XY' }, ledger_hash: 5, ledger_index: 'x' },
    null,
  ];
  const { ask, reported } = await asking(t, (socket, id, index) =>
    respond(socket, id, nonsense[index % 3]),
  );
  for (const index of [3, 4, 5]) {
    t.match(await ask('testnet', index), {
      asked: true,
      reached: false,
      why: /^ws:\/\/127\.0\.0\.1/,
    });
  }
  t.match(await ask('testnet', 6), { asked: false });
  t.match(reported(), [
    ...[3, 4, 5].map(
      (index) => new RegExp(`^ledger: the anchors in ledger ${index} on testnet: ws:`),
    ),
    /^ledger: no later anchor on testnet was checked: .* 3 ledgers in a row\. Audit again later/,
  ]);
});

test('a ledger server that hangs up or sends an invalid message is asked again', async (t) => {
  let asked = 0;
  const { ask, reported } = await asking(t, (socket, id) => {
    asked += 1;
    if (asked === 1) socket.terminate();
    else if (asked === 2) {
      socket.send('<html>');
      respond(socket, id, null);
    } else respond(socket, id, { validated: false });
  });
  t.match(await ask('testnet', 7), { asked: true, reached: true, ledger: null });
  t.equal(asked, 3);
  t.strictSame(reported(), []);
});

test('a server is not asked for an invalid ledger index', async (t) => {
  let asked = 0;
  const { ask } = await asking(t, () => {
    asked += 1;
  });
  for (const index of [-1, 0.5, Number.NaN, 2 ** 40, 'x' as unknown as number]) {
    t.match(await ask('testnet', index), { reached: true, ledger: null });
  }
  t.equal(asked, 0);
});

test('servers that are down or of an unknown network are named beside the connected ones', async (t) => {
  const down = 'ws://127.0.0.1:1';
  const [testnet, foreign] = [await startServer(t), await startServer(t, () => {}, 2)];
  const asked = openAskedLedger([down, `${testnet}/?key=secret`, foreign], () => {});
  t.teardown(() => asked.close());
  const { gateways, unreached } = await asked.networks();
  t.strictSame(
    gateways.map((gateway) => gateway.network),
    ['testnet'],
  );
  t.match(unreached, [
    /^ws:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)$/,
    new RegExp(`^${foreign} \\(it serves neither mainnet nor testnet\\)$`),
  ]);
  t.equal(unreached.length, 2);
});
