import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { filter, firstValueFrom } from 'rxjs';
import { WebSocket, WebSocketServer } from 'ws';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { hashOfTransaction } from '../../../src/ledger/sha512-half.ts';
import { serveParent } from '../harness/helper-process.ts';
import { countSubmissions, type Submission, type SubmissionCounts } from './submission-counts.ts';

/** Longer messages are whole ledgers: no answer to a submission, and no notice of a ledger. */
const maxShort = 20_000;

const submitted = new Map<string, Submission[]>();
let newestTold = 0;

const orders = { start, count };
export type SubmissionsOrders = typeof orders;

/** Relays connections to the ledger server; resolves with the address for the service. */
async function start({ url }: { readonly url: string }): Promise<string> {
  const listening = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  listening.on('connection', (client) => relay(client, url));
  await once(listening, 'listening');
  return `ws://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

function relay(client: WebSocket, url: string): void {
  const server = new WebSocket(url, { perMessageDeflate: false });
  const waiting: string[] = [];
  const answers = new Map<unknown, Submission>();
  const end = () => {
    client.terminate();
    server.terminate();
  };
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
  const pass = (request: string) => {
    noteRequest(request, answers);
    server.send(request);
  };
  server.on('open', () => {
    for (const request of waiting.splice(0)) pass(request);
  });
  client.on('message', (request) => {
    if (server.readyState === WebSocket.OPEN) pass(String(request));
    else waiting.push(String(request));
  });
  server.on('message', (message) => {
    const text = String(message);
    if (text.length < maxShort) noteMessage(text, answers);
    if (client.readyState === WebSocket.OPEN) client.send(text);
  });
}

function noteRequest(text: string, answers: Map<unknown, Submission>): void {
  const { id, command, tx_blob: blob } = JSON.parse(text);
  if (command !== 'submit' || typeof blob !== 'string') return;
  const hash = hashOfTransaction(Buffer.from(blob, 'hex'));
  const submission: Submission = { atLedger: newestTold, answer: null };
  submitted.set(hash, [...(submitted.get(hash) ?? []), submission]);
  answers.set(id, submission);
}

function noteMessage(text: string, answers: Map<unknown, Submission>): void {
  const { id, type, ledger_index: index, result, error } = JSON.parse(text);
  if (type === 'ledgerClosed') newestTold = Math.max(newestTold, Number(index));
  const submission = answers.get(id);
  if (submission === undefined) return;
  answers.delete(id);
  const { engine_result: engineResult, validated_ledger_index: validatedLedger } = result ?? {};
  submission.answer = {
    result: String(engineResult ?? error),
    validatedLedger: Number(validatedLedger ?? newestTold),
  };
}

/** Counts the submissions until now, with the validated ledgers from `firstLedger` on. */
async function count({
  url,
  firstLedger,
}: {
  readonly url: string;
  readonly firstLedger: number;
}): Promise<SubmissionCounts> {
  const gateway = openGateway({ network: 'testnet', urls: [url] });
  try {
    const status = await firstValueFrom(gateway.status.pipe(filter(({ connected }) => connected)));
    if (!status.connected) throw new Error('unreachable');
    const ledgerOf = new Map<string, number>();
    for (let index = firstLedger; index <= status.tip.index; index += 1) {
      const ledger = await gateway.ledger(index);
      if (ledger === null) throw new Error(`the ledger server lacks ledger ${index}`);
      for (const { hash } of ledger.transactions) ledgerOf.set(hash, index);
    }
    return countSubmissions(submitted, ledgerOf);
  } finally {
    await gateway.close();
  }
}

serveParent(orders);
