import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { loadConfig } from './config.ts';
import { acquireDataDirLock } from './embedded/data-dir-lock.ts';
import { leavesPostgresRunning } from './embedded/postgres/embedded-postgres-error.ts';
import { loggable } from './errors/loggable.ts';
import { OperatorError } from './errors/operator-error.ts';
import { findDegraded } from './program/find-degraded.ts';
import { findReadiness } from './program/find-readiness.ts';
import { logDestination } from './program/log-destination.ts';
import { openDatabaseThreads } from './program/open-database-threads.ts';
import { openSharedLocks } from './program/open-shared-locks.ts';
import { openTelemetry, type Telemetry } from './program/open-telemetry.ts';
import { Parts } from './program/parts.ts';
import type { Program } from './program/program.ts';
import { serveMetrics, watchParts } from './program/serve-metrics.ts';
import { startAnchoring } from './program/start-anchoring.ts';
import { addressOf, startApi } from './program/start-api.ts';
import { startAttesting } from './program/start-attesting.ts';
import { startComparison } from './program/start-comparison.ts';
import { startCore } from './program/start-core.ts';
import { startNetworks } from './program/start-networks.ts';
import { startProjectors } from './program/start-projectors.ts';
import { startPublishing } from './program/start-publishing.ts';
import { startSigner } from './program/start-signer.ts';
import { checkStorageUrl, startFiles } from './program/start-storage.ts';
import { startSweep } from './program/start-sweep.ts';
import { startTimestamping } from './program/start-timestamping.ts';
import { openWebhooks, startWebhooks } from './program/start-webhooks.ts';
import { hearSignals } from './signals/hear-signals.ts';

async function start(program: Program): Promise<void> {
  const { config, parts, draining } = program;
  if (config.roles.includes('signer')) {
    const started = await serveMetrics(program);
    await startSigner(program);
    started({ notReady: async () => [], degraded: async () => [] });
    return;
  }
  if (config.databaseUrl === null) {
    const lock = await acquireDataDirLock(config.dataDir);
    parts.add('DATA_DIR lock', () => lock.release());
  }
  draining.throwIfAborted();
  const started = await serveMetrics(program);
  const keepsFiles = config.roles.includes('api') || config.roles.includes('reactor');
  if (keepsFiles) checkStorageUrl(program);
  const { storage, ...core } = await startCore(program);
  const files = storage && startFiles(program, storage, core.keyring);
  draining.throwIfAborted();
  const configured = await startNetworks(program);
  draining.throwIfAborted();
  const comparison = keepsFiles ? await startComparison(program, core, configured) : null;
  draining.throwIfAborted();
  const anchorings =
    comparison !== null && config.roles.includes('reactor')
      ? await startAnchoring(program, core, configured, comparison)
      : [];
  const attestings = config.roles.includes('reactor')
    ? await startAttesting(program, core, configured)
    : [];
  const uploadSpace = files?.uploadSpace ?? null;
  watchParts(program, core, configured, anchorings, attestings, uploadSpace);
  const threads = openDatabaseThreads(program, core);
  if (config.roles.includes('projector')) startProjectors(program, core, threads);
  const degraded = findDegraded(uploadSpace, configured, anchorings);
  started({ notReady: findReadiness(core, configured, anchorings), degraded });
  if (files === null) return;
  if (config.roles.includes('reactor')) {
    const locks = openSharedLocks(program, core);
    startSweep(program, core, files.storage, locks);
    await startTimestamping(program, core, locks);
    // Publish only after the ledger comparison: the ledger may still contradict the log.
    const publish = async () => {
      if (!draining.aborted) await startPublishing(program, core, locks);
    };
    if (comparison?.mayPublish()) await publish();
    else comparison?.agreed.then(publish).catch((error) => draining.aborted || program.fail(error));
  }
  draining.throwIfAborted();
  const webhooks = openWebhooks(program, core);
  const address = config.roles.includes('api')
    ? await startApi(program, core, threads, configured, anchorings, files, webhooks.deliveries)
    : addressOf(config.host, config.port);
  if (!config.roles.includes('reactor')) return;
  startWebhooks(program, core, webhooks, configured, () => config.publicUrl ?? address);
}

/** The message of an operator's error; the stack of any other error. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Maximum wait for a start in progress before the started parts are stopped. */
const startEndsMs = 5_000;

/** Parts still running then are abandoned: the next start recovers as after a kill. */
const stopEndsMs = 9_500;

/** Trace id that links a log line and its trace. */
function tracedIn(telemetry: Telemetry | null): object {
  const traceId = telemetry?.traceId() ?? null;
  return traceId === null ? {} : { traceId };
}

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  // Without the properties that drivers add to errors: these quote queries and values.
  const err = (value: unknown) => (value instanceof Error ? loggable(value) : value);
  let telemetry: Telemetry | null = null;
  const log = pino(
    {
      level: config.logLevel,
      serializers: { err },
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(config.tracing && { mixin: () => tracedIn(telemetry) }),
    },
    logDestination(),
  );
  const parts = new Parts();
  const draining = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | null = null;
  const stop = (exitCode: number) => {
    if (stoppingSince !== null) return;
    stoppingSince = performance.now();
    draining.abort();
    const stopped = Promise.race([starting, delay(startEndsMs)])
      .then(() => parts.stop(log))
      .then(() => starting)
      // A start that took longer may have added parts since.
      .then(() => parts.stop(log));
    Promise.race([stopped, delay(stopEndsMs)]).finally(() => process.exit(exitCode));
  };
  let isRunning = false;
  const fail = (error: unknown) => {
    // The terminal shows an error that prevents the start; the log records a later one.
    if (isRunning)
      log.fatal({ err: error }, error instanceof Error ? error.message : 'service failed');
    else process.stderr.write(`${explain(error)}\n`);
    stop(1);
  };
  hearSignals({
    endingSince: () => stoppingSince,
    onFirst: (name) => {
      log.info({ signal: name }, 'stopping');
      stop(0);
    },
    codeAtOnce: () => 1,
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const { signal } = draining;
  const begin = async () => {
    telemetry = await openTelemetry(config, log, parts);
    await start({ config, log, telemetry, parts, draining: signal, fail });
    isRunning = true;
  };
  starting = begin().catch((error) => {
    // An error after a stop signal is expected and ignored, unless something goes on running.
    if (!signal.aborted) fail(error);
    else if (leavesPostgresRunning(error)) process.stderr.write(`${explain(error)}\n`);
  });
  await starting;
}

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
