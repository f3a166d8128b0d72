import {
  type DatabaseThreads,
  startDatabaseThreads,
} from '../database-threads/start-database-threads.ts';
import type { Offload } from '../http/offload/offload.ts';
import type { Trace } from '../telemetry/contract.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/** Opens the database threads of the program; each starts when it is first needed. */
export function openDatabaseThreads(
  { config, log, parts, telemetry: { metrics, trace } }: Program,
  { url, masterKeys, database: { highWater } }: Core,
): DatabaseThreads {
  const { callThreads } = config;
  const { appends } = metrics;
  const onDeath = (err: unknown) =>
    log.warn(
      { err },
      'worker thread died and is replaced; its calls are retried once, then answered 503',
    );
  const threads = startDatabaseThreads({
    ...{ url, masterKeys, callThreads, highWater, appends, onDeath },
  });
  parts.add('database threads', () => threads.close());
  if (trace === null) return threads;
  return { ...threads, offload: traceOffload(threads.offload, trace) };
}

/** Traces each offloaded call as one span. */
function traceOffload(offload: Offload, trace: Trace): Offload {
  const specOf = (operationId: string) => ({
    name: 'offloaded call',
    attributes: { 'proofmark.operation.id': operationId },
  });
  return {
    handle: (call) => trace(specOf(call.operationId), () => offload.handle(call)),
    parse: (body) => trace(specOf(body.operationId), () => offload.parse(body)),
  };
}
