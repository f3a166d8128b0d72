import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';

/** Deliveries to healthy endpoints since `begin`. */
export interface Arrivals {
  readonly deliveries: number;
  /** Number of distinct `webhook-id`s. */
  readonly distinct: number;
  /** Time between the first and the last delivery. */
  readonly ms: number;
  /** From the time of the event to the first arrival of its delivery. */
  readonly latencyMs: LatencySummary;
  /** Deliveries to `/hang` and `/fail`. */
  readonly atOthers: number;
}

/** Endpoints: `/hang` never answers, `/fail` answers 500, every other path 204. */
const orders = {
  listen: (): Promise<string> => listen(server),
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

serveParent(orders);
