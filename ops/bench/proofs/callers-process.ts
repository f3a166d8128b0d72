import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { keepAliveAgent } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';
import type { Account } from '../harness/tenant.ts';
import { postProof, type Receipt } from './receipt.ts';
import { verifyOnLedger, verifyPublicly } from './verify-receipts.ts';

/** Answers to callers within a time interval. */
export interface Stretch {
  readonly proofs: number;
  readonly ms: number;
  /** Number of answers by status; 0 stands for a failed connection. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly latencyMs: LatencySummary;
  /** Proofs answered in each second of the interval; the last second may be incomplete. */
  readonly perSecond: readonly number[];
  /** First few answers without a proof. */
  readonly failures: readonly string[];
}

/**
 * Callers in a closed loop: each posts the next proof after the answer to the last one. `start`
 * discards the results of an earlier loop. Verify after `stop`.
 */
const orders = {
  start({ account, callers }: { readonly account: Account; readonly callers: number }): void {
    const agent = keepAliveAgent(callers);
    posting = true;
    receipts = [];
    [whole, part] = [createStretch(), createStretch()];
    const loop = async () => {
      while (posting) await post(agent, account);
    };
    done = Promise.all(Array.from({ length: callers }, loop)).then(() => agent.destroy());
  },
  /** Resolves when that many proofs have been answered since the start. */
  reached,
  /** Starts the measurement, as a whole and in parts. Returns the time before as one interval. */
  begin(): Stretch {
    const before = whole.summary();
    [whole, part] = [createStretch(), createStretch()];
    return before;
  },
  /** Ends a part and starts the next one, after `proofs` answered proofs if given. */
  async cut({ proofs = 0 }: { readonly proofs?: number }): Promise<Stretch> {
    await reached({ proofs });
    const ended = part.summary();
    part = createStretch();
    return ended;
  },
  /** All answers since `begin`. */
  whole: (): Stretch => whole.summary(),
  /** Resolves when the last request is answered. */
  stop(): Promise<void> {
    posting = false;
    return done;
  },
  verifyOnLedger: (ledger: Parameters<typeof verifyOnLedger>[0]) =>
    verifyOnLedger(ledger, receipts),
  verifyPublicly: ({ address, most }: { readonly address: string; readonly most: number }) =>
    verifyPublicly(address, receipts, most),
};
export type CallersOrders = typeof orders;

const pauseMs = 1_000;
const maxFailures = 5;

/** Receipts of all answered proofs. */
let receipts: Receipt[] = [];
const waiting = new Map<number, () => void>();
let [whole, part] = [createStretch(), createStretch()];
let posting = false;
let done = Promise.resolve();

async function post(agent: Agent, account: Account): Promise<void> {
  const startedAt = performance.now();
  const { status, receipt, text } = await postProof(agent, account);
  const ms = performance.now() - startedAt;
  for (const each of [whole, part]) each.add(status, ms, receipt === null ? text : null);
  // A caller that is refused at once must not flood the service.
  if (!receipt) return delay(pauseMs);
  receipts.push(receipt);
  waiting.get(receipts.length)?.();
}

function reached({ proofs }: { readonly proofs: number }): Promise<void> {
  return new Promise((resolve) => {
    if (receipts.length >= proofs) resolve();
    else waiting.set(proofs, resolve);
  });
}

function createStretch() {
  const startedAt = performance.now();
  const latencies = createLatencies();
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const perSecond: number[] = [];
  return {
    add(status: number, ms: number, failure: string | null) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (failure === null) {
        latencies.record(ms);
        const second = Math.floor((performance.now() - startedAt) / 1_000);
        while (perSecond.length <= second) perSecond.push(0);
        perSecond[second] = (perSecond[second] ?? 0) + 1;
      } else if (failures.length < maxFailures) failures.push(`${status} ${failure.slice(0, 300)}`);
    },
    summary(): Stretch {
      const latencyMs = latencies.summary();
      const ms = performance.now() - startedAt;
      return { proofs: latencyMs.count, ms, statuses, latencyMs, perSecond, failures };
    },
  };
}

serveParent(orders);
