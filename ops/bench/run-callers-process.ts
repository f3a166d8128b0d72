import { Agent, request } from 'node:http';
import { serveOrders } from './helper-process.ts';
import { reportedRun } from './reported-runs.ts';

/** Where runs are reported to and asked for. */
export interface RunsAccount {
  readonly address: string;
  readonly key: string;
  readonly workspaces: readonly string[];
}

/** Runs to be reported: so many from a number on, by callers that wait for their answers. */
export interface ReportOrder {
  readonly account: RunsAccount;
  readonly first: number;
  readonly count: number;
  readonly decisions: number;
  readonly callers: number;
  /** Fills every decision up to about so many bytes. */
  readonly decisionBytes?: number;
}

const orders = {
  /** Milliseconds that all of them took. Rejects on an answer that is not 201. */
  async report(order: ReportOrder): Promise<number> {
    const { account, first, count, callers } = order;
    const startedAt = performance.now();
    let next = first;
    const call = async () => {
      while (next < first + count) {
        const number = next;
        next += 1;
        const { status, text } = await send(account, '/agent/runs', bodyOf(order, number));
        if (status !== 201) throw new Error(`run ${number}: ${status} ${text.slice(0, 500)}`);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    return performance.now() - startedAt;
  },
  /** Asks once; the time until the whole answer is there. Rejects on one that is not 200. */
  async ask({ account, path }: { readonly account: RunsAccount; readonly path: string }) {
    const startedAt = performance.now();
    const { status, text } = await send(account, path);
    const ms = performance.now() - startedAt;
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    const { data, meta } = JSON.parse(text);
    return { ms, total: Number(meta.total), items: Number(data.length) };
  },
  /** Whether the runs are what was reported, read back one by one. */
  async readBack(order: ReportOrder): Promise<number> {
    let whole = 0;
    for (let number = order.first; number < order.first + order.count; number += 1) {
      const sent = JSON.parse(bodyOf(order, number));
      const path = `/agent/runs/${encodeURIComponent(sent.runId)}`;
      const { data } = JSON.parse((await send(order.account, path)).text);
      const same = sorted(data.decisions) === sorted(sent.decisions);
      if (same && data.finishedAt === sent.finishedAt) whole += 1;
    }
    return whole;
  },
};
export type RunCallersOrders = typeof orders;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

function bodyOf(order: ReportOrder, number: number): string {
  const { account, decisions, decisionBytes = 0 } = order;
  const run = reportedRun(number, decisions, account.workspaces);
  if (decisionBytes === 0) return JSON.stringify(run);
  const missing = (text: object) => Math.max(0, decisionBytes - JSON.stringify(text).length - 16);
  const filled = run.decisions.map((each) => ({ ...each, details: 'x'.repeat(missing(each)) }));
  return JSON.stringify({ ...run, decisions: filled });
}

/** Whatever the order of members. */
function sorted(decisions: readonly object[]): string {
  return JSON.stringify(decisions.map((each) => Object.entries(each).toSorted()));
}

function send(
  { address, key }: RunsAccount,
  path: string,
  body?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${address}/api/v1${path}`,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

serveOrders(orders);
