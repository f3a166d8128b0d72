import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveOrders } from './helper-process.ts';
import { createLatencies, type LatencySummary } from './latencies.ts';

/** What arrived since `begin` at the endpoints that are well. */
export interface Arrivals {
  readonly deliveries: number;
  /** Of them, those whose `webhook-id` had not arrived before. */
  readonly distinct: number;
  /** Between the first and the last. */
  readonly ms: number;
  /** From the time of the event, at the first arrival. */
  readonly latencyMs: LatencySummary;
  /** At `/hang` and `/fail`. */
  readonly atOthers: number;
}

/** Endpoints: `/hang` never answers, `/fail` answers 500, every other path 204. */
const orders = {
  listen: async (): Promise<string> => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  begin: (): void => {
    arrivals = fresh();
  },
  count: (): number => arrivals.ids.size,
  arrivals: (): Arrivals => ({
    deliveries: arrivals.deliveries,
    distinct: arrivals.ids.size,
    ms: arrivals.lastAt - arrivals.firstAt,
    latencyMs: arrivals.latencies.summary(),
    atOthers: arrivals.atOthers,
  }),
};
export type ReceiverOrders = typeof orders;

let arrivals = fresh();

function fresh() {
  const latencies = createLatencies();
  const times = { firstAt: 0, lastAt: 0 };
  return { ...times, latencies, ids: new Set<string>(), deliveries: 0, atOthers: 0 };
}

const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  request.on('error', () => {});
});

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  if (request.url === '/hang' || request.url === '/fail') {
    arrivals.atOthers += 1;
    if (request.url === '/fail') response.writeHead(500).end();
    return;
  }
  response.writeHead(204).end();
  const now = performance.now();
  if (arrivals.deliveries === 0) arrivals.firstAt = now;
  arrivals.lastAt = now;
  arrivals.deliveries += 1;
  const id = String(request.headers['webhook-id']);
  if (arrivals.ids.has(id)) return;
  arrivals.ids.add(id);
  const { timestamp } = JSON.parse(body.toString('utf8')) as { timestamp: string };
  arrivals.latencies.record(Math.max(0, Date.now() - Date.parse(timestamp)));
}

serveOrders(orders);
