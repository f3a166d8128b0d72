import { serveOrders } from './helper-process.ts';
import { createLatencies, type LatencySummary } from './latencies.ts';
import { call, keepAliveAgent } from './proof-caller.ts';

/** Callers that get one URL, each with the key of its turn, for so long. */
export interface GettingOrder {
  readonly url: string;
  readonly keys: readonly string[];
  readonly callers: number;
  readonly ms: number;
  /** What every answer must have. */
  readonly status: number;
}

export interface Gotten {
  readonly calls: number;
  readonly ms: number;
  readonly latencyMs: LatencySummary;
}

const orders = {
  async get({ url, keys, callers, ms, status }: GettingOrder): Promise<Gotten> {
    const agent = keepAliveAgent(callers);
    const latencies = createLatencies();
    const startedAt = performance.now();
    const until = startedAt + ms;
    const run = async (_: unknown, index: number) => {
      const headers = { Authorization: `Bearer ${keys[index % keys.length]}` };
      for (let now = startedAt; now < until; ) {
        const answer = await call(agent, 'GET', url, headers);
        if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
        const done = performance.now();
        latencies.record(done - now);
        now = done;
      }
    };
    await Promise.all(Array.from({ length: callers }, run));
    agent.destroy();
    const latencyMs = latencies.summary();
    return { calls: latencyMs.count, ms: performance.now() - startedAt, latencyMs };
  },
};
export type GettingOrders = typeof orders;

serveOrders(orders);
