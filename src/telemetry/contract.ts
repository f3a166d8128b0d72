import type { IncomingHttpHeaders } from 'node:http';

/** How traces are made and handed over, in the words of OpenTelemetry's own variables. */
export interface TracingOptions {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: `${'parentbased_' | ''}${'always_on' | 'always_off' | 'traceidratio'}`;
  /** From 0 to 1, of the samplers by ratio. */
  readonly samplerRatio: number;
  readonly serviceName: string;
}

/** What is told of a request once it has been handled. */
export interface HandledRequest {
  readonly method: string;
  /** The pattern of the matched route, never a path; null where none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
  /** Code of the error body, if it was one. */
  readonly code: string | null;
}

/** What is told of a batch of appends: one transaction of the database. */
export interface WrittenBatch {
  readonly appends: number;
  readonly events: number;
  readonly seconds: number;
}

/** Values of a span. Whoever sees traces may see no history: ids made here, counts, sizes, codes. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanSpec {
  /** One of few: no ids and no paths. */
  readonly name: string;
  readonly kind?: 'internal' | 'server' | 'client';
  readonly attributes?: Attributes;
  /**
   * Whose part the span is. Default: the span in which `trace` is called, if there is one. `null`:
   * nobody's, it begins a trace. Headers: the caller's that they name (W3C `traceparent`).
   */
  readonly parent?: null | IncomingHttpHeaders;
}

/** The span of the work that is being done. */
export interface WorkSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It failed though nothing is thrown. */
  fail(): void;
}

/**
 * Does the work within a span, which ends with it: what is traced meanwhile becomes part of it. Settles
 * as the work does; that it threw is told, but not with what words. Exporting never keeps the work
 * waiting, nor fails it.
 */
export type Trace = <Result>(
  spec: SpanSpec,
  work: (span: WorkSpan) => Promise<Result>,
) => Promise<Result>;
