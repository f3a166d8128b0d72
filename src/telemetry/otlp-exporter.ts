import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './contract.ts';

/**
 * Sends spans by OTLP over HTTP. Where to, with which headers, certificates and time limit it reads from
 * the environment by itself (`OTEL_EXPORTER_OTLP_…`). Only what is used is loaded.
 */
export async function otlpExporter(protocol: TracingOptions['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}
