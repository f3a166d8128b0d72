import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loggable } from '../http/request-log.ts';
import type { Trace } from '../telemetry/contract.ts';
import { createMetrics, type Metrics, versionOfPackage } from '../telemetry/metrics.ts';
import type { Parts } from './parts.ts';

/** What the program tells of itself, besides its log. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** Null: nothing is traced, and nothing of OpenTelemetry's SDK is loaded. */
  readonly trace: Trace | null;
  /** Id of the trace that is being worked on, for the log. */
  readonly traceId: () => string | null;
}

/** Opens metrics, and traces where a collector is configured. It is closed after everything else. */
export async function openTelemetry(config: Config, log: Logger, parts: Parts): Promise<Telemetry> {
  const metrics = createMetrics();
  if (config.tracing === null) return { metrics, trace: null, traceId: () => null };
  const { openOtlpTrace } = await import('../telemetry/otlp-trace.ts');
  const { trace, traceId, close } = await openOtlpTrace({
    ...config.tracing,
    version: versionOfPackage(),
    onTrouble: (error) => log.warn({ err: loggable(error) }, 'traces could not be handed over'),
  });
  parts.add('traces', close);
  return { metrics, trace, traceId };
}
