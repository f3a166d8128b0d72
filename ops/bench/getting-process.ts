import { serveOrders } from './helper-process.ts';
import { createLatencies, type LatencySummary } from './latencies.ts';
import { call, keepAliveAgent } from './proof-caller.ts';

/** Callers that get one URL for so long. */
export interface GettingOrder {
  readonly url: string;
  readonly keys: readonly string[];
  /** Each call has the next key; else each caller has one of its own. */
  readonly takingTurns: boolean;
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
  async get({ url, keys, takingTurns, callers, ms, status }: GettingOrder): Promise<Gotten> {
    const agent = keepAliveAgent(callers);
    const latencies = createLatencies();
    const startedAt = performance.now();
    const until = startedAt + ms;
    let turn = 0;
    const run = async (_: unknown, caller: number) => {
      for (let now = startedAt; now < until; ) {
        const key = keys[(takingTurns ? turn++ : caller) % keys.length];
        const headers = { Authorization: `Bearer ${key}` };
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
