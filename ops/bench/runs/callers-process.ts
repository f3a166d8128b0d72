import { callApi, inParallel, keepAliveAgent } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import type { Tenant } from '../harness/tenant.ts';
import { reportedRun } from '../samples/reported-runs.ts';

/** Order to report `count` runs from number `first` on, by callers that wait for their answers. */
export interface ReportOrder {
  readonly account: Tenant;
  readonly first: number;
  readonly count: number;
  readonly decisions: number;
  readonly callers: number;
  /** Approximate size to which every decision is filled. */
  readonly decisionBytes?: number;
}

const orders = {
  /** Reports the runs and returns the total milliseconds. Rejects on an answer other than 201. */
  async report(order: ReportOrder): Promise<number> {
    const { account, first, count, callers } = order;
    const startedAt = performance.now();
    await inParallel(count, callers, async (index) => {
      const number = first + index;
      const { status, text } = await callApi(agent, account, '/agent/runs', bodyOf(order, number));
      if (status !== 201) throw new Error(`run ${number}: ${status} ${text.slice(0, 500)}`);
    });
    return performance.now() - startedAt;
  },
  /**
   * Sends one GET and returns the time until the end of the answer. Rejects on an answer other than
   * 200.
   */
  async ask({ account, path }: { readonly account: Tenant; readonly path: string }) {
    const startedAt = performance.now();
    const { status, text } = await callApi(agent, account, path);
    const ms = performance.now() - startedAt;
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    const { data, meta } = JSON.parse(text);
    return { ms, total: Number(meta.total), items: Number(data.length) };
  },
  /** Reads the runs back one by one, and returns the number of those equal to the reported runs. */
  async readBack(order: ReportOrder): Promise<number> {
    let whole = 0;
    for (let number = order.first; number < order.first + order.count; number += 1) {
      const sent = JSON.parse(bodyOf(order, number));
      const path = `/agent/runs/${encodeURIComponent(sent.runId)}`;
      const { data } = JSON.parse((await callApi(agent, order.account, path)).text);
      const same = sorted(data.decisions) === sorted(sent.decisions);
      if (same && data.finishedAt === sent.finishedAt) whole += 1;
    }
    return whole;
  },
};
export type RunCallersOrders = typeof orders;

const agent = keepAliveAgent(Number.POSITIVE_INFINITY);

function bodyOf(order: ReportOrder, number: number): string {
  const { account, decisions, decisionBytes = 0 } = order;
  const run = reportedRun(number, decisions, account.workspaces);
  if (decisionBytes === 0) return JSON.stringify(run);
  const missing = (text: object) => Math.max(0, decisionBytes - JSON.stringify(text).length - 16);
  const filled = run.decisions.map((each) => ({ ...each, details: 'x'.repeat(missing(each)) }));
  return JSON.stringify({ ...run, decisions: filled });
}

/** JSON with sorted members, for comparison. */
function sorted(decisions: readonly object[]): string {
  return JSON.stringify(decisions.map((each) => Object.entries(each).toSorted()));
}

serveParent(orders);
