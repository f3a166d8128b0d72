import { Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { EventStore } from '../event-store/event-store.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';
import type { WrittenBatch } from './contract.ts';

export interface AppendMetrics {
  /** Call it when a batch begins to be written, and the result when its outcome is known. */
  writing(): () => void;
  /** Age of the oldest batch without an outcome; 0 if there is none. */
  oldestSeconds(): number;
  written(batch: WrittenBatch): void;
  ended(append: EndedAppend): void;
}

/** Outcome and duration of an append, including waiting. */
export interface EndedAppend {
  readonly outcome: 'appended' | 'conflict' | 'failed';
  readonly seconds: number;
}

/** Reports every append of the store to `onEnded`. */
export function measureAppends(
  store: EventStore,
  onEnded: (append: EndedAppend) => void,
): EventStore {
  return {
    ...store,
    async append(entries, meta) {
      const start = performance.now();
      const end = (outcome: EndedAppend['outcome']) =>
        onEnded({ outcome, seconds: (performance.now() - start) / 1_000 });
      try {
        const appended = await store.append(entries, meta);
        end('appended');
        return appended;
      } catch (error) {
        end(error instanceof VersionConflict ? 'conflict' : 'failed');
        throw error;
      }
    },
  };
}

const secondBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const eventBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** Registers the duration of appends, for callers and in the database, and the size of batches. */
export function appendMetrics(registry: Registry): AppendMetrics {
  const registers = [registry];
  const appendSeconds = new Histogram({
    name: 'proofmark_append_duration_seconds',
    help: 'Duration of an append until it is durable, including the wait for a batch',
    labelNames: ['outcome'],
    buckets: secondBuckets,
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'proofmark_append_batch_duration_seconds',
    help: 'Duration of the database transaction that appends a batch',
    buckets: secondBuckets,
    registers,
  });
  const batchEvents = new Histogram({
    name: 'proofmark_append_batch_events',
    help: 'Number of events in a batch',
    buckets: eventBuckets,
    registers,
  });
  const begun = new Set<{ readonly at: number }>();
  // The oldest is the first: a set keeps the order of its members.
  const oldestSeconds = () => {
    const [oldest] = begun;
    return oldest === undefined ? 0 : (performance.now() - oldest.at) / 1_000;
  };
  new Gauge({
    name: 'proofmark_append_oldest_seconds',
    help: 'Age of the oldest append whose outcome the database has not confirmed; 0 if there is none',
    registers,
    collect() {
      this.set(oldestSeconds());
    },
  });
  return {
    writing() {
      const batch = { at: performance.now() };
      begun.add(batch);
      return () => begun.delete(batch);
    },
    oldestSeconds,
    written({ events, seconds }) {
      batchSeconds.observe(seconds);
      batchEvents.observe(events);
    },
    ended({ outcome, seconds }) {
      appendSeconds.observe({ outcome }, seconds);
    },
  };
}
