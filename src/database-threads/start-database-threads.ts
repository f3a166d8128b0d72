import type { OrganisationId } from '../domain/ulid.ts';
import { Unavailable } from '../errors/unavailable.ts';
import { DatabaseWentBack } from '../event-store/database-went-back.ts';
import { asSeen, type HighWaterMark } from '../event-store/high-water-mark.ts';
import type { MasterKeys } from '../event-store/key-wrapping.ts';
import type { Offload } from '../http/offload/offload.ts';
import { type HandedReply, type OffloadAnswer, outcomeOf } from '../http/offload/offload-answer.ts';
import { smallBytes } from '../http/shares/create-shares.ts';
import type { AppendMetrics } from '../telemetry/append-metrics.ts';
import { createWorkerPool } from '../threads/worker-pool.ts';
import type {
  DatabaseOrder,
  DatabaseReport,
  DatabaseTask,
  DatabaseThread,
} from './database-thread.ts';

/** Worker threads with database connections of their own. */
export interface DatabaseThreads {
  readonly offload: Offload;
  /** Folds the next stretch of the log into a projection, as `projectNext`. */
  readonly fold: (projection: string) => Promise<number | null>;
  close(): Promise<void>;
}

interface DatabaseThreadsOptions {
  readonly url: string;
  readonly masterKeys: MasterKeys;
  /** Threads for calls. There is one more for large bodies, and one for folding. */
  readonly callThreads: number;
  /** High-water mark of the process; the threads share it. */
  readonly highWater: HighWaterMark;
  /** Receives measurements of the threads' appends. */
  readonly appends?: Pick<AppendMetrics, 'written' | 'ended'>;
  /** Called when a thread has died, with the error if there is one. */
  readonly onDeath?: (cause: unknown) => void;
  /** As in `Services`. */
  readonly answerWaitMs?: number;
}

/** Concurrent calls of each thread. */
const callsPerThread = 4;
const callTimeoutMs = 60_000;
/** Enough for a body of 8 MB on a busy machine. */
const largeTimeoutMs = 120_000;
const maxWaiting = 100;
const waitMs = 30_000;
/** Two million values take 400 to 500 MB of heap until they are appended; bodies have fewer. */
const resourceLimits = { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 32 };

/**
 * Opens three pools. Calls share `callThreads` threads, a few at a time on each. Large bodies and
 * folding keep a whole thread busy, and have one thread each. Threads start when they are needed.
 */
export function startDatabaseThreads(options: DatabaseThreadsOptions): DatabaseThreads {
  const { callThreads, appends, highWater, onDeath } = options;
  const onReport = (reported: unknown) => {
    // `database-thread.ts` reports nothing else.
    const report = reported as DatabaseReport;
    if ('written' in report) appends?.written(report.written);
    else if ('ended' in report) appends?.ended(report.ended);
    else if ('seen' in report) highWater.see([asSeen(report.seen)]);
    else highWater.report(new DatabaseWentBack(report.wentBack));
  };
  const open = (threads: number, ordersPerThread: number, timeoutMs: number) =>
    createWorkerPool<DatabaseTask, OffloadAnswer>({
      thread: new URL('./database-thread.ts', import.meta.url),
      // Folding reads on another connection than its transaction's.
      workerData: workerDataOf(options, ordersPerThread + 1),
      ...{ threads, ordersPerThread, maxWaiting, waitMs, timeoutMs, resourceLimits, onReport },
      ...(onDeath && { onDeath }),
      unavailable: (reason, cause) =>
        new Unavailable('SERVICE_UNAVAILABLE', message, reason, cause),
    });
  const calls = open(callThreads, callsPerThread, callTimeoutMs);
  const large = open(1, 1, largeTimeoutMs);
  const folding = open(1, 1, largeTimeoutMs);
  const run = async (
    organisationId: OrganisationId | null,
    order: DatabaseOrder,
    bytes: Uint8Array<ArrayBuffer> | null = null,
  ) => {
    const task = { seen: highWater.highest, order };
    if (bytes !== null && bytes.length > smallBytes) {
      return outcomeOf(await large.run(organisationId, task, [bytes.buffer]));
    }
    const pools = { handle: calls, parse: large, fold: folding };
    return outcomeOf(await pools[order.do].run(organisationId, task));
  };
  // `DatabaseOrder` documents the types of outcomes.
  return {
    offload: {
      handle: async (call) => {
        const { organisationId } = call.caller;
        return (await run(organisationId, { do: 'handle', call }, call.bytes)) as HandedReply;
      },
      parse: (body) => run(body.organisationId, { do: 'parse', body }, body.bytes),
    },
    fold: async (projection) => (await run(null, { do: 'fold', projection })) as number | null,
    async close() {
      await Promise.all([calls.close(), large.close(), folding.close()]);
    },
  };
}

const message = 'the call could not be handled now; try again shortly';

/** The data of a thread. Copies the keys, since a `Buffer` may share its memory with other values. */
export function workerDataOf(
  {
    url,
    masterKeys: { present, former = [] },
    answerWaitMs,
  }: Pick<DatabaseThreadsOptions, 'url' | 'masterKeys' | 'answerWaitMs'>,
  maxConnections: number,
): DatabaseThread {
  const masterKeys = {
    present: Uint8Array.from(present),
    former: former.map((key) => Uint8Array.from(key)),
  };
  return { url, masterKeys, maxConnections, answerWaitMs };
}
