import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from './tenant.ts';

export interface Answer {
  /** 0 if the connection failed. */
  readonly status: number;
  readonly text: string;
}

/** An agent with one keep-alive connection for each caller. */
export function keepAliveAgent(callers: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: callers, maxFreeSockets: callers });
}

/** Sends a request below `/api/v1`: POST with JSON, GET without. */
export function callApi(
  agent: Agent,
  { address, key }: Pick<Account, 'address' | 'key'>,
  path: string,
  json?: string,
): Promise<Answer> {
  const url = `${address}/api/v1${path}`;
  const authorization = { Authorization: `Bearer ${key}` };
  if (json === undefined) return call(agent, 'GET', url, authorization);
  const length = Buffer.byteLength(json);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length };
  return call(agent, 'POST', url, { ...authorization, ...headers }, json);
}

/** Sends one HTTP request; a failed connection is an answer with status 0. */
export function call(
  agent: Agent,
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): Promise<Answer> {
  return new Promise((answered) => {
    const failed = (error: Error) => answered({ status: 0, text: error.message });
    const outgoing = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        answered({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}

const posting = 200;

/** Posts proofs with these names, waits until they are anchored, and returns their ids. */
export async function postAll(
  account: Account,
  count: number,
  nameOf: (index: number) => string,
): Promise<readonly string[]> {
  const agent = keepAliveAgent(posting);
  const { workspace } = account;
  const proofIds = await inParallel(count, posting, async (index) => {
    const hash = createHash('sha256').update(`${index}`).digest('hex');
    const json = JSON.stringify({ hash, workspace, fileName: nameOf(index), fileSize: index });
    const { status, text } = await callApi(agent, account, '/proofs', json);
    if (status !== 201) throw new Error(`POST /proofs: ${status} ${text}`);
    return JSON.parse(text).data.proofId as string;
  });
  agent.destroy();
  return proofIds;
}

/** Runs the work `count` times, `width` of them at once, and returns the results in order. */
export async function inParallel<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** Starts a server on a free port, and returns its URL. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
