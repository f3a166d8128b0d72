import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { WebSocketServer } from 'ws';
import type { sampleProof } from './sample-bundle.ts';

type Proof = ReturnType<typeof sampleProof>;

/**
 * A server of the main network, as a stranger finds it, that knows these proofs. `change` alters the
 * answer about a transaction.
 */
export async function startPublicLedgerServer(
  t: Pick<Test, 'teardown'>,
  proofs: readonly Proof[],
  change: (result: object) => object = (result) => result,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const asked: string[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, command, transaction } = JSON.parse(String(data));
      asked.push(command);
      const answer =
        command === 'server_info'
          ? { status: 'success', result: { info: { network_id: 0, build_version: '2.6.0' } } }
          : (about(proofs, transaction, change) ?? { status: 'error', error: 'txnNotFound' });
      socket.send(JSON.stringify({ id, type: 'response', ...answer }));
    });
  });
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `ws://127.0.0.1:${port}`, name: `127.0.0.1:${port}`, asked };
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
