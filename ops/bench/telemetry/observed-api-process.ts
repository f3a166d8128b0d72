import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { createApp } from '../../../src/http/app.ts';
import { createAddressReader } from '../../../src/http/limits/client-address.ts';
import { startServer } from '../../../src/http/server.ts';
import type { Services } from '../../../src/http/services.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { openOtlpTrace } from '../../../src/telemetry/otlp-trace.ts';
import { serveParent } from '../harness/helper-process.ts';

/** Ways to serve one API, all in one process, so that nothing else differs. */
export const observations = ['off', 'metrics', 'sampledTraces', 'allTraces'] as const;
export type Observation = (typeof observations)[number];

/** Share of traced requests in `sampledTraces`. */
export const sampled = 0.05;

const orders = {
  /** Serves the API in each way, with traces to that collector. Returns the addresses. */
  async open(endpoint: string): Promise<Readonly<Record<Observation, string>>> {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
    const { handled } = createMetrics().requests;
    const tracing = async (samplerRatio: number) => {
      const sampler = 'parentbased_traceidratio';
      const named = { serviceName: 'proofmark', version: '0', onTrouble: console.error };
      const options = { protocol: 'http/protobuf', sampler, samplerRatio, ...named } as const;
      return (await openOtlpTrace(options)).trace;
    };
    return {
      off: await serve({ onHandled: () => {}, trace: null }),
      metrics: await serve({ onHandled: handled, trace: null }),
      sampledTraces: await serve({ onHandled: handled, trace: await tracing(sampled) }),
      allTraces: await serve({ onHandled: handled, trace: await tracing(1) }),
    };
  },
};
export type ObservedApiOrders = typeof orders;

async function serve(
  observed: Pick<Services['telemetry'], 'onHandled' | 'trace'>,
): Promise<string> {
  const log = pino({ level: 'silent' });
  const services = {
    ...{ events: {}, files: {}, publishedLog: {}, certification: {}, calls: {} },
    ledger: { gateways: [] },
    telemetry: { ...observed, log },
    sources: { newId: newUlid, randomBytes, now: () => new Date() },
    limits: {
      limiter: { take: async () => null, look: async () => null, giveBack: async () => null },
      addressOf: createAddressReader([]),
      addressRequestsPerMinute: 1,
      itemsPerDay: 1,
    },
    lifecycle: { draining: new AbortController().signal },
    site: { publicUrl: () => 'http://127.0.0.1' },
    // Services that GET /healthz does not use are absent.
  } as unknown as Services;
  const app = createApp(services);
  const { port } = await startServer(app, { host: '127.0.0.1', port: 0, log, newId: newUlid });
  return `http://127.0.0.1:${port}`;
}

serveParent(orders);
