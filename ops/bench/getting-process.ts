import { serveOrders } from './helper-process.ts';
import { createLatencies, type LatencySummary } from './latencies.ts';
import { call, keepAliveAgent } from './proof-caller.ts';

/** A key with a path that it can read. */
export interface Gettable {
  readonly key: string;
  readonly path: string;
}

/** Concurrent callers that send GET requests to one address for a given time. */
export interface GettingOrder {
  readonly address: string;
  readonly gettables: readonly Gettable[];
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
  async get({
    address,
    gettables,
    takingTurns,
    callers,
    ms,
    status,
  }: GettingOrder): Promise<Gotten> {
    const agent = keepAliveAgent(callers);
    const latencies = createLatencies();
    const startedAt = performance.now();
    const until = startedAt + ms;
    let turn = 0;
    const run = async (_: unknown, caller: number) => {
      for (let now = startedAt; now < until; ) {
        const gettable = gettables[(takingTurns ? turn++ : caller) % gettables.length];
        if (gettable === undefined) throw new Error('there is nothing to get');
        const headers = { Authorization: `Bearer ${gettable.key}` };
        const answer = await call(agent, 'GET', `${address}${gettable.path}`, headers);
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
