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
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanSpec, Trace, TracingOptions, WorkSpan } from './contract.ts';
import { otlpExporter } from './otlp-exporter.ts';
import { samplerOf } from './sampler.ts';

export interface OtlpTrace {
  readonly trace: Trace;
  /** Id of the trace that is being worked on; null outside of one. */
  traceId(): string | null;
  /** Hands over what was traced until now, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface OtlpTraceOptions extends TracingOptions {
  readonly version: string;
  /** Hears that spans could not be handed over, a minute apart at least; they are lost. */
  readonly onTrouble: (error: unknown) => void;
  /** Default: by OTLP over HTTP, as the environment says. */
  readonly exporter?: SpanExporter;
  readonly exportEveryMs?: number;
}

const closeMs = 2_000;
const exportTimeoutMs = 10_000;
const tellEveryMs = 60_000;

/**
 * Traces by OpenTelemetry. Spans are kept in a bounded queue and exported in the background: while no
 * collector takes them they are dropped.
 */
export async function openOtlpTrace(options: OtlpTraceOptions): Promise<OtlpTrace> {
  const { serviceName, version, protocol, onTrouble, exportEveryMs } = options;
  let toldAt = -Infinity;
  setGlobalErrorHandler((error) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
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
      // Its message may quote what is confidential.
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
