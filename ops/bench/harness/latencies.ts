import { createHistogram } from 'node:perf_hooks';
import { round } from './figures.ts';

/** In milliseconds. */
export interface LatencySummary {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface Latencies {
  record(ms: number): void;
  summary(): LatencySummary;
}

/** Records every latency with three significant figures, in bounded memory. */
export function createLatencies(): Latencies {
  const histogram = createHistogram({ figures: 3 });
  const toMs = (microseconds: number) => round(microseconds / 1_000, 3);
  const at = (percent: number) => (histogram.count === 0 ? 0 : toMs(histogram.percentile(percent)));
  return {
    record: (ms) => histogram.record(Math.max(1, Math.round(ms * 1_000))),
    summary: () => ({
      count: histogram.count,
      mean: histogram.count === 0 ? 0 : toMs(histogram.mean),
      p50: at(50),
      p95: at(95),
      p99: at(99),
      p999: at(99.9),
      max: histogram.count === 0 ? 0 : toMs(histogram.max),
    }),
  };
}

/** Runs callers in a closed loop for `ms`. Completes and counts the calls in flight at the end. */
export async function closedLoop(
  { callers, ms }: { readonly callers: number; readonly ms: number },
  call: (caller: number) => Promise<unknown>,
): Promise<{ readonly latencies: Latencies; readonly ms: number }> {
  const latencies = createLatencies();
  const startedAt = performance.now();
  const until = startedAt + ms;
  const loop = async (_: unknown, caller: number) => {
    for (let now = startedAt; now < until; ) {
      await call(caller);
      const done = performance.now();
      latencies.record(done - now);
      now = done;
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return { latencies, ms: performance.now() - startedAt };
}
