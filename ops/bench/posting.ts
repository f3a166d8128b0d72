import { setTimeout as delay } from 'node:timers/promises';
import { createLatencies, type LatencySummary } from './latencies.ts';
import { type Account, keepAliveAgent, postProof, type Receipt } from './proof-caller.ts';

/** What callers were answered in a stretch of time. */
export interface Stretch {
  readonly proofs: number;
  readonly ms: number;
  /** How many answers with each status; 0 stands for a connection that failed. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly latencyMs: LatencySummary;
  /** The first few answers that were no proof. */
  readonly failures: readonly string[];
}

/** Callers in a closed loop: each posts the next proof when the one before was answered. */
export interface Posting {
  /** Of every proof there was an answer for. */
  readonly receipts: readonly Receipt[];
  /** Resolves when so many proofs were answered since the beginning. */
  reached(proofs: number): Promise<void>;
  /** From now on is measured, as a whole and in parts. */
  begin(): void;
  /** Ends a part and begins the next one. */
  cut(): Stretch;
  /** The whole so far. */
  whole(): Stretch;
  /** Resolves when the last caller was answered. */
  stop(): Promise<void>;
}

const pauseMs = 1_000;
const maxFailures = 5;

export function startPosting(account: Account, callers: number): Posting {
  const agent = keepAliveAgent(callers);
  const receipts: Receipt[] = [];
  const waiting = new Map<number, () => void>();
  let whole = createStretch();
  let part = createStretch();
  let posting = true;
  const post = async () => {
    while (posting) {
      const startedAt = performance.now();
      const { status, receipt, text } = await postProof(agent, account);
      const ms = performance.now() - startedAt;
      for (const each of [whole, part]) each.add(status, ms, receipt === null ? text : null);
      // A caller that is refused at once must not turn the closed loop into a flood.
      if (!receipt) await delay(pauseMs);
      else {
        receipts.push(receipt);
        waiting.get(receipts.length)?.();
      }
    }
  };
  const done = Promise.all(Array.from({ length: callers }, post));
  return {
    receipts,
    reached: (proofs) =>
      new Promise((resolve) => {
        if (receipts.length >= proofs) resolve();
        else waiting.set(proofs, resolve);
      }),
    begin() {
      whole = createStretch();
      part = createStretch();
    },
    cut() {
      const ended = part.summary();
      part = createStretch();
      return ended;
    },
    whole: () => whole.summary(),
    async stop() {
      posting = false;
      await done;
      agent.destroy();
    },
  };
}

function createStretch() {
  const startedAt = performance.now();
  const latencies = createLatencies();
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  return {
    add(status: number, ms: number, failure: string | null) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (failure === null) latencies.record(ms);
      else if (failures.length < maxFailures) failures.push(`${status} ${failure.slice(0, 300)}`);
    },
    summary(): Stretch {
      const latencyMs = latencies.summary();
      const ms = performance.now() - startedAt;
      return { proofs: latencyMs.count, ms, statuses, latencyMs, failures };
    },
  };
}
