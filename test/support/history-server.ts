import type { Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AnchoredLedger } from './attested-ledger.ts';

/** A server of the ledger that gives whole ledgers of its history, or fails as a test says. */
export interface HistoryServer {
  readonly url: string;
  /** Indexes that were asked for, in order. */
  readonly asked: readonly number[];
  /** Changes or drops (null) the result of each later request. */
  answerWith(change: (index: number, result: object) => object | null): void;
}

/** Serves these ledgers to any number of connections. */
export async function startHistoryServer(
  t: Pick<Test, 'teardown'>,
  ledgers: readonly AnchoredLedger[],
): Promise<HistoryServer> {
  const asked: number[] = [];
  let change = (_: number, result: object): object | null => result;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const answer = (socket: WebSocket, text: string) => {
    const { id, ledger_index: index, transactions } = JSON.parse(text);
    asked.push(index);
    const found = ledgers.find(({ header }) => header.index === index);
    const send = (rest: object) => socket.send(JSON.stringify({ id, type: 'response', ...rest }));
    if (found === undefined) return send({ status: 'error', error: 'lgrNotFound' });
    const result = change(index, resultOf(found, transactions === true));
    return result === null ? socket.terminate() : send({ status: 'success', result });
  };
  server.on('connection', (socket) => {
    socket.on('message', (data) => answer(socket, String(data)));
  });
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `ws://127.0.0.1:${address.port}`,
    asked,
    answerWith(next) {
      change = next;
    },
  };
}

function resultOf({ header, transactions }: AnchoredLedger, isWhole: boolean): object {
  const ledger_data = Buffer.from(header.bytes).toString('hex').toUpperCase();
  const held = transactions.map(({ hash, blob, metadata }) => ({
    ...{ hash, tx_blob: blob, meta_blob: metadata },
  }));
  return {
    ledger: isWhole ? { ledger_data, transactions: held } : { ledger_data },
    ...{ ledger_hash: header.hash.toUpperCase(), ledger_index: header.index, validated: true },
  };
}
