import { call, keepAliveAgent } from './calls.ts';
import { serveParent } from './helper-process.ts';
import { closedLoop, type LatencySummary } from './latencies.ts';

/** A key with a path that it can read. */
export interface Gettable {
  readonly key: string;
  readonly path: string;
}

/** Concurrent callers that send GET requests to one address for a given time. */
export interface GettingOrder {
  readonly address: string;
  readonly gettables: readonly Gettable[];
  /** True: each call uses the next key; false: each caller has its own key. */
  readonly takingTurns: boolean;
  readonly callers: number;
  readonly ms: number;
  /** Expected status of every answer. */
  readonly status: number;
}

export interface Gotten {
  readonly calls: number;
  readonly ms: number;
  readonly latencyMs: LatencySummary;
}

const orders = {
  async get(order: GettingOrder): Promise<Gotten> {
    const { address, gettables, takingTurns, status } = order;
    const agent = keepAliveAgent(order.callers);
    let turn = 0;
    const { latencies, ms } = await closedLoop(order, async (caller) => {
      const gettable = gettables[(takingTurns ? turn++ : caller) % gettables.length];
      if (gettable === undefined) throw new Error('the order names nothing to get');
      const headers = { Authorization: `Bearer ${gettable.key}` };
      const answer = await call(agent, 'GET', `${address}${gettable.path}`, headers);
      if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
    });
    agent.destroy();
    const latencyMs = latencies.summary();
    return { calls: latencyMs.count, ms, latencyMs };
  },
};
export type GettingOrders = typeof orders;

serveParent(orders);
