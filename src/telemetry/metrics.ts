import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { type AppendMetrics, appendMetrics } from './append-metrics.ts';
import { type RequestMetrics, requestMetrics } from './request-metrics.ts';

/** Metrics of the process at /metrics. Each part that starts adds its own metrics to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly appends: AppendMetrics;
}

/** Unused default metrics whose names Prometheus' own linter rejects. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

/** Creates the metrics of one process, with the default metrics of the runtime. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const build = new Gauge({
    name: 'proofmark_build_info',
    help: 'Always 1; the labels are the versions of the service and of Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: versionOfPackage(), node: process.version }, 1);
  return { registry, requests: requestMetrics(registry), appends: appendMetrics(registry) };
}

export function versionOfPackage(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
