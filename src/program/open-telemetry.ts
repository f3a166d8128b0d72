import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loggable } from '../errors/loggable.ts';
import type { Trace } from '../telemetry/contract.ts';
import { createMetrics, type Metrics, versionOfPackage } from '../telemetry/metrics.ts';
import type { Parts } from './parts.ts';

/** Metrics and traces of the program. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** Null: tracing is off, and OpenTelemetry's SDK is not loaded. */
  readonly trace: Trace | null;
  /** Id of the current trace, for the log. */
  readonly traceId: () => string | null;
}

/** Opens metrics, and traces if a collector is configured. Traces are closed last. */
export async function openTelemetry(config: Config, log: Logger, parts: Parts): Promise<Telemetry> {
  const metrics = createMetrics();
  if (config.tracing === null) return { metrics, trace: null, traceId: () => null };
  const { openOtlpTrace } = await import('../telemetry/otlp-trace.ts');
  const { trace, traceId, close } = await openOtlpTrace({
    ...config.tracing,
    version: versionOfPackage(),
    onTrouble: (error) =>
      log.warn(
        { err: loggable(error) },
        'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT; they are dropped',
      ),
  });
  parts.add('traces', close);
  return { metrics, trace, traceId };
}
