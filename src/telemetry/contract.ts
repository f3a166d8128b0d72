import type { IncomingHttpHeaders } from 'node:http';

/** Options of tracing and of its export, with the values of OpenTelemetry's own variables. */
export interface TracingOptions {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: `${'parentbased_' | ''}${'always_on' | 'always_off' | 'traceidratio'}`;
  /** Ratio from 0 to 1, for the samplers by ratio. */
  readonly samplerRatio: number;
  readonly serviceName: string;
}

/** Measurements of a handled request. */
export interface HandledRequest {
  readonly method: string;
  /** The pattern of the matched route, never a path; null where none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
  /** Code of the error body; null if the body is not an error. */
  readonly code: string | null;
}

/** Measurements of a batch of appends, which is one database transaction. */
export interface WrittenBatch {
  readonly appends: number;
  readonly events: number;
  readonly seconds: number;
}

/**
 * Values of a span: only ids made here, counts, sizes and codes. Readers of traces may have no
 * right to read the history.
 */
type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanSpec {
  /** One of a few names, without ids and paths. */
  readonly name: string;
  readonly kind?: 'internal' | 'server' | 'client';
  readonly attributes?: Attributes;
  /**
   * Parent of the span. Default: the span in which `trace` is called, if there is one. `null`:
   * none, the span begins a trace. Headers: the caller's span in W3C `traceparent`.
   */
  readonly parent?: null | IncomingHttpHeaders;
}

/** The span of the current work. */
export interface WorkSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed, for a failure without an exception. */
  fail(): void;
}

/**
 * Runs the work within a span that ends with it. Spans of the work become its children. Settles as
 * the work does. Records that the work threw, never the error message. Exporting never delays the
 * work, and never makes it fail.
 */
export type Trace = <Result>(
  spec: SpanSpec,
  work: (span: WorkSpan) => Promise<Result>,
) => Promise<Result>;
