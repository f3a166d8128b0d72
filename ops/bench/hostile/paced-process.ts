import { setTimeout as delay } from 'node:timers/promises';
import { watchBlocks } from '../harness/blocks.ts';
import { call, keepAliveAgent } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';

/** URLs to call in turn at a fixed rate, independent of the answers. */
export interface PacedOrder {
  readonly name: string;
  readonly urls: readonly string[];
  /** Absent: calls without a key. */
  readonly key?: string;
  readonly perSecond: number;
  readonly ms: number;
  /** Body of a POST, with `$n` for the number of the call; absent: GET. */
  readonly post?: string;
}

export interface Paced {
  readonly perSecond: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** Measured from the time at which each call was due. */
  readonly latencyMs: LatencySummary;
}

const sockets = 64;
const json = { 'Content-Type': 'application/json' };

/** Results by order, and the longest delay of this process's own event loop. */
export interface PacedTogether {
  readonly paced: Readonly<Record<string, Paced>>;
  readonly ownDelayMs: number;
}

const orders = {
  async pace(of: readonly PacedOrder[]): Promise<PacedTogether> {
    const blocks = watchBlocks();
    const all = of.map(async (order) => [order.name, await paced(order)] as const);
    const together = Object.fromEntries(await Promise.all(all));
    const { delayMs } = blocks.take();
    blocks.stop();
    return { paced: together, ownDelayMs: delayMs };
  },
};
export type PacedOrders = typeof orders;

async function paced({ urls, key, perSecond, ms, post }: PacedOrder): Promise<Paced> {
  const agent = keepAliveAgent(sockets);
  const latencies = createLatencies();
  const statuses: Record<number, number> = {};
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const startedAt = performance.now();
  const get = async (number: number) => {
    const dueAt = startedAt + (number * 1_000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
    const url = urls[number % urls.length] ?? '';
    const { status } = await (post === undefined
      ? call(agent, 'GET', url, headers)
      : call(agent, 'POST', url, { ...headers, ...json }, post.replace('$n', String(number))));
    latencies.record(performance.now() - dueAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: (ms / 1_000) * perSecond }, (_, number) => get(number)));
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  const latencyMs = latencies.summary();
  return { perSecond: latencyMs.count / seconds, statuses, latencyMs };
}

serveParent(orders);
