import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** The timestamping of anchored checkpoints, for measuring. */
interface WatchedTimestamping {
  /** ISO 8601. */
  pendingSince(): string | null;
  /** Attempts of this process, by outcome. */
  counts(): Readonly<Record<string, number>>;
}

/** Registers the tokens of the time-stamping authority. */
export function timestampingMetrics(registry: Registry, timestamping: WatchedTimestamping): void {
  new Gauge({
    name: 'proofmark_timestamp_pending_seconds',
    help: 'Time since the first anchored checkpoint that no time-stamp token covers was recorded; 0 if there is none',
    registers: [registry],
    collect() {
      const since = timestamping.pendingSince();
      this.set(since === null ? 0 : Math.max(0, (Date.now() - Date.parse(since)) / 1_000));
    },
  });
  new Counter({
    name: 'proofmark_timestamp_requests_total',
    help: 'Requests of this process to the time-stamping authority, by outcome: recorded, false (the answer does not verify) or failed',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(timestamping.counts())) {
        this.inc({ outcome }, count);
      }
    },
  });
}
