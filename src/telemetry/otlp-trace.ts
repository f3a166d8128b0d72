import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as spans,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanSpec, Trace, TracingOptions, WorkSpan } from './contract.ts';

interface OtlpTrace {
  readonly trace: Trace;
  /** Id of the current trace; null outside of one. */
  traceId(): string | null;
  /** Exports the spans so far, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

interface OtlpTraceOptions extends TracingOptions {
  readonly version: string;
  /** Called when spans could not be exported, at most once a minute; the spans are lost. */
  readonly onTrouble: (error: unknown) => void;
  /** Default: OTLP over HTTP, as the environment configures it. */
  readonly exporter?: SpanExporter;
  readonly exportEveryMs?: number;
}

const closeMs = 2_000;
const exportTimeoutMs = 10_000;
const reportEveryMs = 60_000;

/**
 * Traces with OpenTelemetry. Spans are kept in a bounded queue and exported in the background. They
 * are dropped while no collector accepts them.
 */
export async function openOtlpTrace(options: OtlpTraceOptions): Promise<OtlpTrace> {
  const { serviceName, version, protocol, onTrouble, exportEveryMs } = options;
  let reportedAt = -Infinity;
  setGlobalErrorHandler((error) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    onTrouble(error);
  });
  const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(options),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: options.exporter ?? (await otlpExporter(protocol)),
        exportTimeoutMillis: exportTimeoutMs,
        ...(exportEveryMs !== undefined && { scheduledDelayMillis: exportEveryMs }),
      }),
    ],
  });
  const tracer = provider.getTracer('proofmark', version);
  const active = new AsyncLocalStorage<Context>();

  const trace: Trace = async (spec, work) => {
    const parent = parentOf(spec, active.getStore());
    const { name, kind = 'internal', attributes = {} } = spec;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
    try {
      return await active.run(spans.setSpan(parent, span), () => work(workSpan(span)));
    } catch (error) {
      // The error message may quote confidential data.
      const type = error instanceof Error ? error.name : 'unknown';
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    trace,
    traceId() {
      const context = active.getStore();
      return (context && spans.getSpanContext(context)?.traceId) ?? null;
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeMs);
      });
      await Promise.race([provider.shutdown().catch(onTrouble), timeUp]);
      clearTimeout(timer);
    },
  };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
} as const;

const propagator = new W3CTraceContextPropagator();

function parentOf({ parent }: SpanSpec, active: Context = ROOT_CONTEXT): Context {
  if (parent === undefined) return active;
  if (parent === null) return ROOT_CONTEXT;
  return propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter);
}

function workSpan(span: Span): WorkSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/**
 * Creates the exporter for OTLP over HTTP, which reads its URL, headers, certificates and time
 * limit from the environment (`OTEL_EXPORTER_OTLP_…`). Loads only the exporter in use.
 */
async function otlpExporter(protocol: TracingOptions['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** The sampler that `OTEL_TRACES_SAMPLER` names (OpenTelemetry's general SDK configuration). */
function samplerOf({
  sampler,
  samplerRatio,
}: Pick<TracingOptions, 'sampler' | 'samplerRatio'>): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(samplerRatio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplerRatio) });
  }
}
