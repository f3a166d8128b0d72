import { availableParallelism } from 'node:os';
import { OperatorError } from '../errors/operator-error.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import type { MasterKeys } from '../event-store/key-wrapping.ts';
import type { BuildReaders } from '../subscriptions/fill-build.ts';
import { createWorkerPool } from '../threads/worker-pool.ts';
import { takeEvents } from './handed-events.ts';
import type { ReadingAnswer, ReadingOrder } from './reading-thread.ts';
import { workerDataOf } from './start-database-threads.ts';

/** Twice a thread died while it read the same part of the log. The database is not to blame. */
export class ReadingThreadDied extends OperatorError {
  constructor(options: ErrorOptions) {
    super(
      'a thread that reads the log for a read model died twice, probably for lack of memory: ' +
        'start the rebuild again; if that fails too, give the process more memory',
      options,
    );
    this.name = 'ReadingThreadDied';
  }
}

const mostThreads = 4;
const timeoutMs = 120_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 };

/**
 * Threads that read and decode the log for builds, one fewer than processors. They start when they
 * are first needed.
 */
export function openBuildReaders(options: {
  readonly url: string;
  readonly masterKeys: MasterKeys;
  /** Default: 100,000. */
  readonly fewestPositions?: number;
}): BuildReaders & { close(): Promise<void> } {
  const threads = Math.max(1, Math.min(mostThreads, availableParallelism() - 1));
  const pool = createWorkerPool<ReadingOrder, ReadingAnswer>({
    thread: new URL('./reading-thread.ts', import.meta.url),
    workerData: workerDataOf(options, 1),
    ...{ threads, maxWaiting: Infinity, timeoutMs, resourceLimits },
    unavailable: (reason, died) =>
      died === undefined
        ? new StoreUnavailable({ cause: new Error(reason) })
        : new ReadingThreadDied(died),
  });
  const { fewestPositions = 100_000 } = options;
  return {
    threads,
    fewestPositions,
    async readStretch(projection, after, upTo) {
      const page = await pool.run(null, { projection: projection.name, after, upTo });
      if (page === null) throw new StoreUnavailable();
      return { ...page, events: takeEvents(projection, page.events) };
    },
    close: () => pool.close(),
  };
}
