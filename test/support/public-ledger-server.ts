import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { WebSocketServer } from 'ws';
import type { sampleProof } from './sample-bundle.ts';

type Proof = ReturnType<typeof sampleProof>;

/**
 * A server of the main network, as a stranger finds it, that knows these proofs. `change` alters the
 * answer about a transaction. As servers of the ledger, it answers no preflight of JSON-RPC.
 */
export async function startPublicLedgerServer(
  t: Pick<Test, 'teardown'>,
  proofs: readonly Proof[],
  change: (result: object) => object = (result) => result,
) {
  const asked: string[] = [];
  const answerTo = (command: string, transaction: string) => {
    asked.push(command);
    return command === 'server_info'
      ? { status: 'success', result: { info: { network_id: 0, build_version: '2.6.0' } } }
      : (about(proofs, transaction, change) ?? { status: 'error', error: 'txnNotFound' });
  };
  const rpc = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { method, params } = JSON.parse(String(Buffer.concat(await request.toArray())));
    const { result, status, ...error } = { result: {}, ...answerTo(method, params[0].transaction) };
    response.end(JSON.stringify({ result: { ...result, ...error, status } }));
  });
  const server = new WebSocketServer({ server: rpc });
  await new Promise<void>((resolve) => rpc.listen(0, '127.0.0.1', resolve));
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, command, transaction } = JSON.parse(String(data));
      socket.send(JSON.stringify({ id, type: 'response', ...answerTo(command, transaction) }));
    });
  });
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
    rpc.closeAllConnections();
    rpc.close();
  });
  const { port } = rpc.address() as AddressInfo;
  const name = `127.0.0.1:${port}`;
  return { address: `ws://${name}`, rpcAddress: `http://${name}`, name, asked };
}

function about(proofs: readonly Proof[], hash: string, change: (result: object) => object) {
  const proof = proofs.find(({ content }) => content.transactionHash === hash);
  if (proof === undefined) return null;
  const { content, evidence } = proof;
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  const { type, format, data } = evidence.memo;
  const result = {
    hash,
    validated: true,
    ledger_index: content.ledgerIndex,
    tx_json: {
      Account: content.account,
      date: evidence.closeTime,
      Memos: [{ Memo: { MemoType: hex(type), MemoFormat: hex(format), MemoData: hex(data) } }],
    },
    meta: { TransactionResult: 'tesSUCCESS' },
  };
  return { status: 'success', result: change(result) };
}
