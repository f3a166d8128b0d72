import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projections } from '../../projections/registry.ts';
import type { RunningAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import type { RunningAttesting } from '../reactors/attesting/run-attesting.ts';
import { enqueuingName } from '../reactors/webhooks/enqueuing.ts';
import type { UploadSpace } from '../storage/contract.ts';
import { anchoringMetrics } from '../telemetry/anchoring-metrics.ts';
import { attestingMetrics } from '../telemetry/attesting-metrics.ts';
import { databaseMetrics } from '../telemetry/database-metrics.ts';
import { diskMetrics } from '../telemetry/disk-metrics.ts';
import { ledgerMetrics } from '../telemetry/ledger-metrics.ts';
import { startMetricsServer } from '../telemetry/metrics-server.ts';
import { uploadMetrics } from '../telemetry/upload-metrics.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

interface Readiness {
  /** Names the obstacles to the process's work; empty if there are none. */
  readonly notReady: () => Promise<readonly string[]>;
  /** Names the parts that do not work although the process is ready. */
  readonly degraded: () => Promise<readonly string[]>;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` on METRICS_PORT: to this machine alone, unless
 * METRICS_HOST says otherwise. Serves nothing if the default port is taken, such as by a second
 * process. Returns a function that sets the readiness check once the process has started.
 */
export async function serveMetrics(program: Program): Promise<(readiness: Readiness) => void> {
  const { config, log, parts, draining, telemetry } = program;
  const { host, port, isRequired } = config.metrics;
  let readiness: Readiness = { notReady: async () => ['starting'], degraded: async () => [] };
  const started = (found: Readiness) => {
    readiness = found;
  };
  if (port === null) return started;
  const { registry } = telemetry.metrics;
  const notReady = async () => (draining.aborted ? ['draining'] : readiness.notReady());
  const degraded = () => readiness.degraded();
  try {
    const server = await startMetricsServer({ host, port, registry, notReady, degraded });
    parts.add('metrics server', () => server.stop());
    log.info({ host, port: server.port }, 'metrics are served');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = 'set METRICS_PORT to a free port, or to off';
    if (isRequired)
      throw new CannotServe(`metrics cannot be served: ${reason}; ${advice}`, { cause });
    log.warn(`metrics are not served: ${reason}; ${advice}`);
  }
  return started;
}

/** Adds metrics of the database, the ledger, anchoring and the disk. */
export function watchParts(
  { config, parts, telemetry: { metrics } }: Program,
  { database }: Core,
  networks: readonly NetworkParts[],
  anchorings: readonly RunningAnchoring[],
  attestings: readonly RunningAttesting[],
  uploadSpace: UploadSpace | null,
): void {
  const { registry } = metrics;
  const readers = [...projections.map(({ name }) => name), enqueuingName];
  const hasTokens = config.timestampAuthority !== null;
  databaseMetrics(registry, database.pool, readers, config.storageAllowanceBytes, hasTokens);
  const watched = networks.map(({ gateway, accounts, checkpointAccount }) => {
    const addresses = checkpointAccount === null ? accounts : [...accounts, checkpointAccount];
    return { gateway, addresses };
  });
  parts.add('ledger metrics', ledgerMetrics(registry, watched));
  anchoringMetrics(registry, anchorings);
  attestingMetrics(registry, attestings);
  if (uploadSpace !== null) uploadMetrics(registry, () => uploadSpace.stops());
  const { storageUrl, dataDir } = config;
  const isFolder = storageUrl.startsWith('file:');
  diskMetrics(registry, {
    storage: isFolder ? fileURLToPath(storageUrl) : join(dataDir, 'staging'),
    ...(config.databaseUrl === null && { data: dataDir }),
  });
}
