import { readFileSync } from 'node:fs';
import { createLatencies, type LatencySummary } from './latencies.ts';

/** Latencies of one kind of call, with the running and waiting times of its processes. */
export interface ScheduledLatencies {
  record(ms: number, scheduled: Scheduling): void;
  /** `met`: 99 of 100 calls were answered within the target. */
  judge(targetP99Ms: number): Judgement;
}

export interface Judgement {
  readonly targetP99Ms: number;
  readonly met: boolean;
  readonly latencyMs: LatencySummary;
  readonly processorMs: { readonly ran: LatencySummary; readonly waitedForOthers: LatencySummary };
}

/** Times of the main threads of some processes, in milliseconds; 0 without /proc/PID/schedstat. */
export interface Scheduling {
  /** Time on a processor. */
  readonly ran: number;
  /** Time ready to run, while others used the processors. */
  readonly waited: number;
}

export function createScheduledLatencies(): ScheduledLatencies {
  const [latencies, ran, waited] = [createLatencies(), createLatencies(), createLatencies()];
  return {
    record(ms, scheduled) {
      latencies.record(ms);
      ran.record(scheduled.ran);
      waited.record(scheduled.waited);
    },
    judge(targetP99Ms) {
      const latencyMs = latencies.summary();
      const processorMs = { ran: ran.summary(), waitedForOthers: waited.summary() };
      return { targetP99Ms, met: latencyMs.p99 <= targetP99Ms, latencyMs, processorMs };
    },
  };
}

/** Returns the work's result and duration, and the scheduling of these processes meanwhile. */
export async function scheduled<Result>(
  pids: readonly number[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number; readonly scheduling: Scheduling }> {
  const before = pids.map(readScheduling);
  const startedAt = performance.now();
  const result = await work();
  const ms = performance.now() - startedAt;
  const after = pids.map(readScheduling);
  // A process that ended meanwhile, such as one of an idle connection, did none of the work.
  const took = (what: keyof Scheduling) =>
    before.reduce((sum, own, n) => sum + Math.max(0, (after[n]?.[what] ?? 0) - own[what]), 0);
  return { result, ms, scheduling: { ran: took('ran'), waited: took('waited') } };
}

function readScheduling(pid: number): Scheduling {
  try {
    const columns = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return { ran: Number(columns[0]) / 1_000_000, waited: Number(columns[1]) / 1_000_000 };
  } catch {
    return { ran: 0, waited: 0 };
  }
}
