import type { otelSamplers, otlpProtocols, Variables } from './variables.ts';

/** OpenTelemetry's variables that we read. The exporter reads `OTEL_EXPORTER_OTLP_…` itself. */
export interface TracingConfig {
  readonly protocol: (typeof otlpProtocols)[number];
  readonly sampler: (typeof otelSamplers)[number];
  /** From 0 to 1, for the samplers by ratio. */
  readonly samplerRatio: number;
  readonly serviceName: string;
}

/** Null: tracing is off. */
export function tracingOf(vars: Variables): TracingConfig | null {
  const isAsked = vars.OTEL_EXPORTER_OTLP_ENDPOINT ?? vars.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (isAsked === undefined || vars.OTEL_SDK_DISABLED || vars.OTEL_TRACES_EXPORTER === 'none') {
    return null;
  }
  return {
    protocol: vars.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? vars.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: vars.OTEL_TRACES_SAMPLER,
    samplerRatio: vars.OTEL_TRACES_SAMPLER_ARG,
    serviceName: vars.OTEL_SERVICE_NAME,
  };
}
